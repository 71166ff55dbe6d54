import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../core/kit/logger.ts';
import { restoreBackup } from '../core/operate/backup/restore-backup.ts';
import { writeBackup } from '../core/operate/backup/write-backup.ts';
import { temporaryDiskFolder } from '../test/support/folders.ts';
import { startFilled } from './many-rows.ts';
import { quantile } from './quantile.ts';
import { timed } from './timed.ts';

/** Connections in each of two environments. */
const CONNECTIONS = 50_000;
const READS = 2_000;
const MEGABYTE = 1024 * 1024;

/** Measures a backup of a running service, what requests of that time take, and the restore into a new embedded database. */
export async function run(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const filled = await startFilled(stack, { connections: CONNECTIONS });
  if (filled === undefined) return;
  const log = createLogger({ level: 'silent' });
  const { path } = stack.use(await temporaryDiskFolder());
  const file = join(path, 'backup');
  const { databaseUrl: url, keys, api, connectionId, integration } = filled.service;

  const read = () => api.get(`/connections/${connectionId}?provider_config_key=${integration}`);
  const before = await timed(READS, read);
  let backupMs = 0;
  const during = await timesWhile(read, async () => {
    backupMs = await milliseconds(async () => {
      await using handle = await open(file, 'wx');
      await writeBackup({ url, log, now: new Date() }, handle);
    });
  });
  await using target = await startEmbeddedPostgres({ dataDir: join(path, 'data'), explicitDataDir: true, log });
  const restoreMs = await milliseconds(() => restoreBackup(file, { url: target.url, keys, log }));
  const megabytes = ((await stat(file)).size / MEGABYTE).toFixed(0);
  console.log(`  ${2 * CONNECTIONS} connections: backup ${seconds(backupMs)}, ${megabytes} MB, restore ${seconds(restoreMs)}`);
  console.log(
    `  a read meanwhile: p99 ${quantile(during, 0.99).toFixed(1)} ms, otherwise ${quantile(before, 0.99).toFixed(1)} ms`,
  );
}

/** Repeats a request, one at a time, until some work is done. @returns the times of the requests, in milliseconds */
async function timesWhile(request: () => Promise<unknown>, work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  let isDone = false;
  const working = work().finally(() => {
    isDone = true;
  });
  while (!isDone) times.push(await milliseconds(request));
  await working;
  return times;
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
