import { type OperationPurgeDeps, purgeOperations } from './activity/purge-operations.ts';
import { purgeSessions } from './connect-sessions/purge-sessions.ts';
import { purgeConnections } from './connections/purge-connections.ts';
import type { FreshDeps } from './credentials/fresh.ts';
import { sweepRefreshes } from './credentials/refresh-sweep.ts';
import type { Queue } from './db/queue.ts';

export interface MaintenanceDeps extends FreshDeps, OperationPurgeDeps {
  readonly queue: Queue;
}

/** What is done by the clock, on one instance each time. */
export async function startMaintenance(deps: MaintenanceDeps): Promise<void> {
  await deps.queue.schedule('refresh-sweep', '* * * * *', async () => void (await sweepRefreshes(deps)));
  await deps.queue.schedule('purge', '17 * * * *', () => purge(deps));
}

/** Removes what has had its time. */
export async function purge(deps: OperationPurgeDeps): Promise<void> {
  await purgeConnections(deps);
  await purgeSessions(deps);
  await purgeOperations(deps);
}
