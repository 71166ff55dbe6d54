import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startService } from '../test/support/processes.ts';
import { newServiceEnv } from '../test/support/service-env.ts';
import { memoryKilobytes, processTree } from './process-tree.ts';

const GOAL_MB = 250;
const SETTLE_MS = 10_000;

/** Memory of the service and all processes below it, ten seconds after it is ready: pages that are shared count once (Pss). */
export async function run(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  try {
    await using _service = await startService({ env: { ...newServiceEnv(), SVC_DATA_DIR: dataDir } });
    await wait(SETTLE_MS);
    const below = (await processTree(process.pid)).filter((id) => id !== process.pid);
    const kilobytes = await Promise.all(below.map(memoryKilobytes));
    const total = kilobytes.reduce((sum, size) => sum + size, 0) / 1024;
    console.log(`  ${total.toFixed(0)} MB in ${kilobytes.length} processes (goal: at most ${GOAL_MB} MB)`);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
