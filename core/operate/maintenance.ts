import { watchAbandonedLeases } from '../credentials/abandoned.ts';
import { maintainPartitions } from '../journal/operation-log/partitions.ts';
import type { MaintenanceDeps } from './deps.ts';

/**
 * Starts all background work: workers that process due rows, and scheduled work, each kind of which runs on one instance at a
 * time.
 */
export async function startMaintenance(deps: MaintenanceDeps): Promise<void> {
  await maintainPartitions(deps).catch((error: unknown) =>
    deps.log.warn('partitions of the operation log could not be created; this is retried every minute', { error }),
  );
  deps.scriptQueue.start();
  deps.matching.start();
  deps.deliverer.start();
  for (const worker of deps.dueWorkers) worker.start();
  watchAbandonedLeases(deps);
  await deps.schedules.start();
}
