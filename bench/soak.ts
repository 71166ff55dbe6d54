import { soak } from '../test/endurance/load/soak.ts';

const SECONDS = 600;
const GOAL_MIB_PER_HOUR = 2;

/**
 * Runs a mixed load with faults on a service, and says how its memory and its open handles have grown after the first third of the
 * time. The goal is for 90 minutes (5,400 s): in a shorter time, the noise of garbage collection is larger than the growth.
 */
export async function run({ seconds = SECONDS }: { readonly seconds?: number | undefined }): Promise<void> {
  const { calls, failed, faults, growth, memory, handles, errors } = await soak(seconds, (line) => console.log(`  ${line}`));
  console.log(`  memory: ${memory.map((mib) => mib.toFixed(1)).join(' → ')} MiB, ${growth.toFixed(1)} MiB an hour`);
  console.log(`  (goal in 5,400 s: at most ${GOAL_MIB_PER_HOUR})`);
  console.log(`  handles: ${handles.map((count) => count.toFixed(0)).join(' → ')} (goal: no more than before)`);
  console.log(`  ${calls} calls, failed by status: ${JSON.stringify(failed)}; faults: ${JSON.stringify(faults)}`);
  console.log(`  errors in the log that the database's restarts do not explain: ${JSON.stringify(errors)} (goal: none)`);
}
