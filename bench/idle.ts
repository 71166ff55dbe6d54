import { setTimeout as wait } from 'node:timers/promises';
import { openDatabase } from '../core/db/database.ts';
import { findRunning } from '../core/db/embedded-postgres/embedded-postgres.ts';
import { createLogger } from '../core/kit/logger.ts';
import { temporaryDiskFolder } from '../test/support/folders.ts';
import { PROGRAM, startService } from '../test/support/processes.ts';
import { newServiceEnv } from '../test/support/service-env.ts';
import { cpuSeconds, memoryKilobytes, processTree } from './process-tree.ts';

const MEMORY_GOAL_MB = 150;
const CPU_GOAL_PERCENT = 0.5;
const TRANSACTIONS_GOAL = 3;
const SETTLE_MS = 10_000;
const WATCH_SECONDS = 60;

/**
 * Measures what an idle service costs: its memory ten seconds after it is ready, then its processor time and database
 * transactions during one minute.
 */
export async function run(): Promise<void> {
  await using folder = await temporaryDiskFolder();
  const env = { ...newServiceEnv(), SVC_DATA_DIR: folder.path };
  const start = () => startService({ env, command: PROGRAM });
  // The first start only fills the cache of compiled code, which the measured start uses.
  await (await start()).stop();
  await using _service = await start();
  await wait(SETTLE_MS);
  console.log(`  ${await memoryOfChildren()} (goal: at most ${MEMORY_GOAL_MB} MB)`);
  const watched = await watch(folder.path);
  console.log(`  ${watched.cpuPercent.toFixed(2)} % of a core (goal: at most ${CPU_GOAL_PERCENT} %)`);
  console.log(`  ${watched.transactions.toFixed(1)} transactions a second (goal: at most ${TRANSACTIONS_GOAL})`);
}

/** Describes the total memory of all child processes, in which shared pages count once (Pss). */
async function memoryOfChildren(): Promise<string> {
  const below = (await processTree(process.pid)).filter((id) => id !== process.pid);
  const kilobytes = await Promise.all(below.map(memoryKilobytes));
  const total = kilobytes.reduce((sum, size) => sum + size, 0) / 1024;
  return `${total.toFixed(0)} MB in ${kilobytes.length} processes`;
}

async function watch(dataDir: string): Promise<{ readonly cpuPercent: number; readonly transactions: number }> {
  const { url = '' } = (await findRunning({ dataDir, explicitDataDir: true })) ?? {};
  const db = openDatabase({ url, poolSize: 1, log: createLogger({ level: 'silent' }) });
  const others = async () => (await cpuSeconds(process.pid)) - process.cpuUsage().user / 1e6 - process.cpuUsage().system / 1e6;
  const committed = async () => {
    const { rows } = await db.raw('select xact_commit as count from pg_stat_database where datname = current_database()');
    return Number(rows[0].count);
  };
  try {
    const [cpu, count] = [await others(), await committed()];
    await wait(WATCH_SECONDS * 1_000);
    const transactions = ((await committed()) - count) / WATCH_SECONDS;
    return { cpuPercent: (((await others()) - cpu) / WATCH_SECONDS) * 100, transactions };
  } finally {
    await db.destroy();
  }
}
