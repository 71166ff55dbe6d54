import { maintainPartitions } from '../activity/partitions.ts';
import { removeExpiredChoices } from '../authorization/choice-store.ts';
import { watchAbandonedLeases } from '../credentials/abandoned.ts';
import { sweepDeletions } from '../lifecycle/connection-deleting.ts';
import { startErasing } from '../lifecycle/erase-marked.ts';
import { finishUpgrade } from '../lifecycle/finish-upgrade.ts';
import { sweepRenewals } from '../lifecycle/renewing.ts';
import { startSubscribing } from '../lifecycle/subscribing.ts';
import { adoptScriptJobs } from '../scripts/script-queue-store.ts';
import type { MaintenanceDeps } from './deps.ts';
import { applyRetention } from './retention.ts';

/** Starts all background work: scheduled jobs, each on one instance at a time, and the workers. */
export async function startMaintenance(deps: MaintenanceDeps): Promise<void> {
  await deps.queue.schedule('log-partitions', '* * * * *', () => maintainPartitions(deps));
  await maintainPartitions(deps).catch((error: unknown) =>
    deps.log.warn('partitions of the operation log were not made', { error }),
  );
  await startErasing(deps);
  await startSubscribing(deps);
  // Left by the previous release, which may run side by side with this one. To be removed in the next release.
  for (const name of ['webhook-match-sweep', 'delivery-sweep', 'refresh-sweep', 'verification-sweep'])
    await deps.queue.unschedule(name);
  await adoptScriptJobs(deps.db);
  await deps.queue.schedule('adopt-script-jobs', '* * * * *', () => adoptScriptJobs(deps.db));
  deps.scriptQueue.start();
  deps.matching.start();
  deps.deliverer.start();
  deps.refreshes.start();
  watchAbandonedLeases(deps);
  await deps.queue.schedule('choice-purge', '* * * * *', () => removeExpiredChoices(deps));
  await deps.queue.schedule('deletion-sweep', '* * * * *', (signal) => sweepDeletions(deps, signal));
  await deps.queue.schedule('renewal-sweep', '43 * * * *', async () => void (await sweepRenewals(deps)));
  await deps.queue.schedule('finish-upgrade', '*/10 * * * *', () => finishUpgrade(deps));
  await deps.queue.schedule('purge', '17 * * * *', () => applyRetention(deps));
}
