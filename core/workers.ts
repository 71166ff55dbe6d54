import { deletionWorker } from './connect/deletion/connection-deleting.ts';
import { erasureWorker } from './connect/deletion/erasure-worker.ts';
import { subscriptionWorker } from './connect/subscriptions/subscription-worker.ts';
import { refreshWorker } from './credentials/refresh-worker.ts';
import { type BackupConfig, DailyBackup, type DailyBackupDeps } from './operate/backup/daily-backup.ts';
import type { ScheduledDeps } from './operate/deps.ts';
import { ScheduleWorker } from './operate/schedule-worker.ts';
import { schedulesOf } from './operate/schedules.ts';
import type { ScriptDeps } from './scripts/deps.ts';
import { ScriptQueue } from './scripts/script-queue.ts';
import { Deliverer } from './webhook-delivery/deliverer.ts';
import type { WebhookIngressDeps } from './webhook-ingress/deps.ts';
import { matchingTable } from './webhook-ingress/match-worker.ts';

type WorkerDeps = ScheduledDeps &
  WebhookIngressDeps &
  ScriptDeps &
  ConstructorParameters<typeof Deliverer>[0] &
  DailyBackupDeps & { readonly config: BackupConfig };

/** Opens the workers that process due rows of the work tables; they do nothing until they are started. */
export async function openWorkers(opened: AsyncDisposableStack, deps: WorkerDeps) {
  const scheduled = { ...deps, dailyBackup: await DailyBackup.open(deps.config, deps) };
  return {
    dueWorkers: [
      opened.use(refreshWorker(deps)),
      opened.use(subscriptionWorker(deps)),
      opened.use(deletionWorker(deps)),
      opened.use(erasureWorker(deps)),
    ],
    deliverer: opened.use(new Deliverer(deps)),
    matching: opened.use(matchingTable(deps)),
    scriptQueue: opened.use(new ScriptQueue(deps)),
    schedules: opened.use(new ScheduleWorker(scheduled, schedulesOf(scheduled))),
  };
}
