import { watchAbandonedLeases } from '../credentials/abandoned.ts';
import type { FreshDeps } from '../credentials/fresh.ts';
import { sweepRefreshes } from '../credentials/refresh-sweep.ts';
import { sweepVerifications } from '../credentials/verification-sweep.ts';
import type { Queue } from '../db/queue.ts';
import type { Signals } from '../db/work-signals.ts';
import type { WorkTable } from '../db/work-table.ts';
import { sweepDeletions } from '../lifecycle/connection-deleting.ts';
import type { LifecycleDeps } from '../lifecycle/deps.ts';
import { startErasing } from '../lifecycle/erase-marked.ts';
import { finishUpgrade } from '../lifecycle/finish-upgrade.ts';
import { sweepRenewals } from '../lifecycle/renewing.ts';
import { startSubscribing } from '../lifecycle/subscribing.ts';
import type { ScriptQueue } from '../scripts/script-queue.ts';
import { adoptScriptJobs } from '../scripts/script-queue-store.ts';
import type { Deliverer } from '../webhook-delivery/deliverer.ts';
import { applyRetention, type RetentionDeps } from './retention.ts';

export interface MaintenanceDeps extends LifecycleDeps, RetentionDeps {
  readonly queue: Queue;
  readonly signals: Signals;
  readonly deliverer: Pick<Deliverer, 'start' | 'stop'>;
  readonly matching: Pick<WorkTable, 'start' | 'stop'>;
  readonly scriptQueue: Pick<ScriptQueue, 'start' | 'stop'>;
  readonly catalogue: FreshDeps['catalogue'];
}

/** What is done behind the requests: by the clock, on one instance each time, and what requests leave to be done. */
export async function startMaintenance(deps: MaintenanceDeps): Promise<void> {
  await startErasing(deps);
  await startSubscribing(deps);
  // What the release before leaves behind, which may run beside this one for a minute. To go with the release after this one.
  for (const name of ['webhook-match-sweep', 'delivery-sweep']) await deps.queue.unschedule(name);
  await adoptScriptJobs(deps.db);
  await deps.queue.schedule('adopt-script-jobs', '* * * * *', () => adoptScriptJobs(deps.db));
  deps.scriptQueue.start();
  deps.matching.start();
  deps.deliverer.start();
  watchAbandonedLeases(deps);
  await deps.queue.schedule('refresh-sweep', '* * * * *', async () => void (await sweepRefreshes(deps)));
  await deps.queue.schedule('deletion-sweep', '* * * * *', (signal) => sweepDeletions(deps, signal));
  await deps.queue.schedule('verification-sweep', '*/10 * * * *', async () => void (await sweepVerifications(deps)));
  await deps.queue.schedule('renewal-sweep', '43 * * * *', async () => void (await sweepRenewals(deps)));
  await deps.queue.schedule('finish-upgrade', '*/10 * * * *', () => finishUpgrade(deps));
  await deps.queue.schedule('purge', '17 * * * *', () => applyRetention(deps));
}
