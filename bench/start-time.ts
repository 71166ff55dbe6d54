import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM, startService } from '../test/support/processes.ts';
import { newServiceEnv } from '../test/support/service-env.ts';

const LATER_STARTS = 3;
const FIRST_GOAL_SECONDS = 3;
const LATER_GOAL_SECONDS = 1.5;

/** From the start of the process to a ready service: first with an empty data directory, then with the one it made. */
export async function run(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const env = { ...newServiceEnv(), SVC_DATA_DIR: dataDir };
  try {
    console.log(`  first start: ${(await secondsToReady(env)).toFixed(1)} s (goal: at most ${FIRST_GOAL_SECONDS} s)`);
    for (let start = 1; start <= LATER_STARTS; start += 1) {
      console.log(`  later start: ${(await secondsToReady(env)).toFixed(1)} s (goal: at most ${LATER_GOAL_SECONDS} s)`);
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function secondsToReady(env: Readonly<Record<string, string>>): Promise<number> {
  const started = performance.now();
  await using _service = await startService({ env, command: PROGRAM });
  return (performance.now() - started) / 1000;
}
