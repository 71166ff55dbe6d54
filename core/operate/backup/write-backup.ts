import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Knex } from 'knex';
import packageFile from '../../../package.json' with { type: 'json' };
import { openDatabase, PATIENT_WAIT_MS } from '../../db/database.ts';
import { appliedMigrations } from '../../db/server-facts-store.ts';
import { inSnapshot } from '../../db/snapshot.ts';
import { listPartitions } from '../../journal/operation-log/partition-store.ts';
import type { Logger } from '../../kit/logger.ts';
import { columnsOf, copyOut, prepareCopying, sequenceValues } from './backup-store.ts';
import { END_OF_ROWS, headerLine, type RowCounts } from './format.ts';
import { BACKED_UP } from './tables.ts';

interface BackupSource {
  /** Database URL. */
  readonly url: string;
  readonly log: Logger;
  readonly now: Date;
  /**
   * Returns the encryption keys, encrypted with a passphrase; undefined when the backup shall not contain them. It is called when
   * the snapshot has begun, so that no value in it was encrypted with a later key.
   */
  readonly sealedKeys?: (() => Promise<string>) | undefined;
}

/**
 * Writes every row of every table, as of a single moment, to a file. The service may be running; memory holds a few rows at a
 * time. What is encrypted in the database is encrypted in the file, and nothing else is.
 *
 * @returns the number of rows of each table
 */
export async function writeBackup(source: BackupSource, file: FileHandle): Promise<RowCounts> {
  const db = openDatabase({ url: source.url, poolSize: 1, queryTimeoutMs: 0, waitMs: PATIENT_WAIT_MS, log: source.log });
  const rows: RowCounts = {};
  try {
    await inSnapshot(db, (trx) => pipeline(piecesOf(trx, source, rows), createGzip(), (pieces) => append(file, pieces)));
  } finally {
    await db.destroy();
  }
  return rows;
}

/** Appends to a file that stays open. */
async function append(file: FileHandle, pieces: AsyncIterable<Buffer>): Promise<void> {
  for await (const piece of pieces) await file.appendFile(piece);
}

async function* piecesOf(
  trx: Knex.Transaction,
  { now, sealedKeys }: BackupSource,
  rows: RowCounts,
): AsyncGenerator<string | Buffer> {
  await prepareCopying(trx);
  yield headerLine({
    made_at: now.toISOString(),
    release: packageFile.version,
    migrations: await appliedMigrations(trx),
    partitions: (await listPartitions(trx)).map(({ from, to }) => [from, to]),
    keys: sealedKeys === undefined ? null : await sealedKeys(),
  });
  for (const table of BACKED_UP) {
    const section = { table, columns: await columnsOf(trx, table) };
    yield `${JSON.stringify(section)}\n`;
    const copied = await copyOut(trx, section);
    yield* copied;
    rows[table] = copied.rowCount;
    yield `${END_OF_ROWS}\n`;
  }
  yield `${JSON.stringify({ sequences: await sequenceValues(trx), rows })}\n`;
}
