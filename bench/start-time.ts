import { temporaryDiskFolder } from '../test/support/folders.ts';
import { PROGRAM, startService } from '../test/support/processes.ts';
import { newServiceEnv } from '../test/support/service-env.ts';

const LATER_STARTS = 3;
const FIRST_GOAL_SECONDS = 3;
const LATER_GOAL_SECONDS = 1.5;

/**
 * Measures the time from the start of the process to a ready service, first with an empty data directory, then with the same
 * directory again.
 */
export async function run(): Promise<void> {
  await using folder = await temporaryDiskFolder();
  const env = { ...newServiceEnv(), SVC_DATA_DIR: folder.path };
  console.log(`  first start: ${(await secondsToReady(env)).toFixed(1)} s (goal: at most ${FIRST_GOAL_SECONDS} s)`);
  for (let start = 1; start <= LATER_STARTS; start += 1) {
    console.log(`  later start: ${(await secondsToReady(env)).toFixed(1)} s (goal: at most ${LATER_GOAL_SECONDS} s)`);
  }
}

async function secondsToReady(env: Readonly<Record<string, string>>): Promise<number> {
  const started = performance.now();
  await using _service = await startService({ env, command: PROGRAM });
  return (performance.now() - started) / 1000;
}
