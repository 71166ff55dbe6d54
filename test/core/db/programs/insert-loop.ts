import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../../../core/db/database.ts';
import { startEmbeddedPostgres } from '../../../../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../../../../core/kit/logger.ts';

/** This program inserts rows until it is killed, and prints the number of each one that the database has acknowledged. */
const { dataDir, first }: { dataDir: string; first: number } = JSON.parse(process.argv[2] ?? '');
const log = createLogger({ level: 'silent' });
const begun = performance.now();
const { url } = await startEmbeddedPostgres({ dataDir, explicitDataDir: true, log });
const db = openDatabase({ url, log });
await db.raw('create table if not exists acknowledged (number bigint primary key, filler text)');
process.stdout.write(`open ${Math.round(performance.now() - begun)}\n`);

for (let number = first; ; number += 1) {
  if (number % 200 === 0) await ignoringLoss(() => db.raw('checkpoint'));
  if (await ignoringLoss(() => insert(number))) await print(`row ${number}\n`);
}

async function insert(number: number): Promise<void> {
  await db.raw('insert into acknowledged values (?, ?) on conflict do nothing', [number, 'x'.repeat(500)]);
}

/** Does the work and returns whether it succeeded. It may fail because the server was killed; the server comes back by itself. */
async function ignoringLoss(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch {
    await pause(5);
    return false;
  }
}

async function print(line: string): Promise<void> {
  if (!process.stdout.write(line)) await once(process.stdout, 'drain');
}
