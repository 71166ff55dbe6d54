import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../core/db/embedded-postgres/embedded-postgres.ts';
import { stopLeftoverServer } from '../../core/db/embedded-postgres/leftover-server.ts';
import { claimDirectory } from '../../core/db/embedded-postgres/postgres-owner.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { buildUi } from '../../ui/build.ts';
import { makeTemplate } from './database.ts';
import { databaseRoot, MEMORY } from './database-root.ts';

const PREFIX = 'svc-test-';
// A younger folder may belong to a run that has just begun and has not claimed it yet.
const ABANDONED_AFTER_MS = 60_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

let postgres: EmbeddedPostgres | undefined;
let dataDir: string | undefined;

/**
 * Starts the database server and builds the pages, both once for the whole run. The run's processes find the server by
 * `TEST_DATABASE_URL`.
 */
export async function setUpRun(): Promise<void> {
  for (const signal of SIGNALS) process.once(signal, endBySignal);
  const log = createLogger({ level: 'silent' });
  await removeAbandoned();
  await buildUi();
  dataDir = await mkdtemp(join(await databaseRoot(), PREFIX));
  postgres = await startEmbeddedPostgres({ dataDir, explicitDataDir: true, log });
  process.env['TEST_DATABASE_URL'] = postgres.url;
  await makeTemplate(postgres.url, log);
}

/** Stops and removes the database server after the last test, and when a signal ends the run. */
export async function tearDownRun(): Promise<void> {
  for (const signal of SIGNALS) process.off(signal, endBySignal);
  await postgres?.[Symbol.asyncDispose]();
  // Another run that begins now may consider the folder abandoned and be removing it too, so this removal is retried.
  if (dataDir) await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}

async function endBySignal(signal: NodeJS.Signals): Promise<void> {
  await tearDownRun();
  process.kill(process.pid, signal);
}

/** Removes the folders, and stops the database servers, that killed runs have left behind. */
async function removeAbandoned(): Promise<void> {
  for (const folder of [tmpdir(), MEMORY]) {
    const names = await readdir(folder).catch(() => []);
    const ours = names.filter((name) => name.startsWith(PREFIX));
    await Promise.allSettled(ours.map((name) => removeIfAbandoned(join(folder, name))));
  }
}

async function removeIfAbandoned(directory: string): Promise<void> {
  const { mtimeMs } = await stat(directory);
  if (Date.now() - mtimeMs < ABANDONED_AFTER_MS) return;
  using _owned = await claimDirectory(directory);
  await stopLeftoverServer(join(directory, 'postgres'));
  await rm(directory, { recursive: true, force: true });
}
