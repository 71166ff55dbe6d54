import { removeExpiredChoices } from '../connect/flows/choice-store.ts';
import { watchAbandonedLeases } from '../credentials/abandoned.ts';
import { maintainPartitions } from '../journal/operation-log/partitions.ts';
import { adoptScriptJobs } from '../scripts/script-queue-store.ts';
import type { MaintenanceDeps } from './deps.ts';
import { finishUpgrade } from './finish-upgrade.ts';
import { applyRetention } from './retention.ts';

/** Of the release before, where each was a job of one instance. */
const FORMER_SCHEDULES = [
  'webhook-match-sweep',
  'delivery-sweep',
  'refresh-sweep',
  'verification-sweep',
  'renewal-sweep',
  'deletion-sweep',
] as const;

/** Starts all background work: scheduled jobs, each on one instance at a time, and the workers. */
export async function startMaintenance(deps: MaintenanceDeps): Promise<void> {
  await deps.queue.schedule('log-partitions', '* * * * *', () => maintainPartitions(deps));
  await maintainPartitions(deps).catch((error: unknown) =>
    deps.log.warn('partitions of the operation log were not made', { error }),
  );
  // Left by the previous release, which may run side by side with this one. To be removed in the next release.
  for (const name of FORMER_SCHEDULES) await deps.queue.unschedule(name);
  await adoptScriptJobs(deps.db);
  await deps.queue.schedule('adopt-script-jobs', '* * * * *', () => adoptScriptJobs(deps.db));
  deps.scriptQueue.start();
  deps.matching.start();
  deps.deliverer.start();
  for (const worker of deps.dueWorkers) worker.start();
  watchAbandonedLeases(deps);
  await deps.queue.schedule('choice-purge', '* * * * *', unlessClockIsOff(deps, removeExpiredChoices));
  await deps.queue.schedule('finish-upgrade', '*/10 * * * *', () => finishUpgrade(deps));
  await deps.queue.schedule('purge', '17 * * * *', unlessClockIsOff(deps, applyRetention));
}

/** What is deleted cannot be had again. */
function unlessClockIsOff(deps: MaintenanceDeps, remove: (deps: MaintenanceDeps) => Promise<unknown>): () => Promise<void> {
  return async () => {
    if (!deps.clockCheck.isOff) await remove(deps);
  };
}
