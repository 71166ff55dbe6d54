import { type OperationPurgeDeps, purgeOperations } from './activity/purge-operations.ts';
import { purgeSessions } from './connect-sessions/purge-sessions.ts';
import { purgeConnections } from './connections/purge-connections.ts';
import type { FreshDeps } from './credentials/fresh.ts';
import { sweepRefreshes } from './credentials/refresh-sweep.ts';
import { sweepVerifications } from './credentials/verification-sweep.ts';
import type { Queue } from './db/queue.ts';
import { type ErasureDeps, startErasing } from './lifecycle/erase-marked.ts';
import { purgeMarked } from './lifecycle/purge-marked.ts';

export interface MaintenanceDeps extends FreshDeps, OperationPurgeDeps, ErasureDeps {
  readonly queue: Queue;
}

/** What is done behind the requests: by the clock, on one instance each time, and what requests leave to be done. */
export async function startMaintenance(deps: MaintenanceDeps): Promise<void> {
  await startErasing(deps);
  await deps.queue.schedule('refresh-sweep', '* * * * *', async () => void (await sweepRefreshes(deps)));
  await deps.queue.schedule('verification-sweep', '*/10 * * * *', async () => void (await sweepVerifications(deps)));
  await deps.queue.schedule('purge', '17 * * * *', () => purge(deps));
}

/** Removes what has had its time. */
export async function purge(deps: OperationPurgeDeps): Promise<void> {
  await purgeConnections(deps);
  await purgeMarked(deps);
  await purgeSessions(deps);
  await purgeOperations(deps);
}
