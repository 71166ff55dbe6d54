import { purgeSessions } from './connect-sessions/purge-sessions.ts';
import type { FreshDeps } from './credentials/fresh.ts';
import { sweepRefreshes } from './credentials/refresh-sweep.ts';
import type { Queue } from './db/queue.ts';
import { type PurgeDeps, purge } from './lifecycle/purge.ts';

export interface MaintenanceDeps extends FreshDeps, PurgeDeps {
  readonly queue: Queue;
}

/** What is done by the clock, on one instance each time. */
export async function startMaintenance(deps: MaintenanceDeps): Promise<void> {
  await deps.queue.schedule('refresh-sweep', '* * * * *', async () => void (await sweepRefreshes(deps)));
  await deps.queue.schedule('purge', '17 * * * *', async () => {
    await purge(deps);
    await purgeSessions(deps);
  });
}
