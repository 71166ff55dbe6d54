import { pipeline } from 'node:stream/promises';
import type { Knex } from 'knex';
import { openDatabase, PATIENT_WAIT_MS } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { appliedMigrations } from '../../db/server-facts-store.ts';
import { addPartition } from '../../journal/operation-log/partition-store.ts';
import { errorCode } from '../../kit/error-code.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import type { Logger } from '../../kit/logger.ts';
import { checkEncryptionKeys } from '../keys/encryption-keys.ts';
import { copyIn, hasAccounts, prepareCopying, replacingAuditHead, setSequences } from './backup-store.ts';
import { BackupFault, type BackupHeader, incomplete, type RowCounts } from './format.ts';
import { headerOf, readBackup, requireKnownSchema } from './read-backup.ts';

interface RestoreTarget {
  /** Database URL. */
  readonly url: string;
  readonly keys: KeyRing;
  readonly log: Logger;
  /** The folder with the migrations. Default: that of this version. */
  readonly directory?: string | undefined;
}

const NEWLINE = Buffer.from('\n');

/**
 * Writes every row of a backup to an empty database. It gets the schema of the backup first, so that the rows fit; the next start
 * migrates it to that of this version.
 *
 * @returns the number of rows of each table
 * @throws BackupFault when the file cannot be restored here; KeyRingError when the keys are not those of the backup; no row was
 *   written
 */
export async function restoreBackup(path: string, { url, keys, log, directory }: RestoreTarget): Promise<RowCounts> {
  const header = await headerOf(path);
  await requireKnownSchema(header, directory);
  const db = openDatabase({ url, poolSize: 1, queryTimeoutMs: 0, waitMs: PATIENT_WAIT_MS, log });
  try {
    await requireRoom(db, header);
    await migrate({ url, log, directory, names: header.migrations });
    return await db.transaction(async (trx) => {
      const rows = await load(trx, path, header).catch(explained);
      await checkEncryptionKeys(trx, keys);
      return rows;
    });
  } finally {
    await db.destroy();
  }
}

/** Ensures that the database is empty, or at most has an older schema than the backup, without rows. */
async function requireRoom(db: Knex, { migrations }: BackupHeader): Promise<void> {
  const applied = await appliedMigrations(db);
  if (applied.length === 0) return;
  if (applied.some((name) => !migrations.includes(name)))
    throw new BackupFault('the database has a newer schema than the backup: restore into an empty database');
  await requireEmpty(db);
}

async function requireEmpty(db: Knex): Promise<void> {
  if (await hasAccounts(db))
    throw new BackupFault('the database is not empty, and nothing in it was changed: restore into an empty database');
}

async function load(trx: Knex.Transaction, path: string, { partitions }: BackupHeader): Promise<RowCounts> {
  await prepareCopying(trx);
  await requireEmpty(trx);
  for (const [from, to] of partitions) await addPartition(trx, { from, to });
  const { sequences, rows } = await readBackup(path, async (table, lines) => {
    const write = async () => pipeline(withNewlines(lines), await copyIn(trx, table));
    await (table.table === 'audit_head' ? replacingAuditHead(trx, write) : write());
  });
  await setSequences(trx, sequences);
  return rows;
}

/** Explains what the database refuses: data that is malformed, contradicts other rows, or has no table or column. */
function explained(error: unknown): never {
  throw /^(22|23)|^42(P01|703)$/.test(errorCode(error) ?? '') ? incomplete(error) : error;
}

async function* withNewlines(lines: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const line of lines) yield Buffer.concat([line, NEWLINE]);
}
