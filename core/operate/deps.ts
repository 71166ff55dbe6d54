import type { LifecycleDeps } from '../connect/deps.ts';
import type { ClockCheck } from '../db/clock-check.ts';
import type { DueWorker } from '../db/due-worker.ts';
import type { WorkTable } from '../db/work-table.ts';
import type { ScriptQueue } from '../scripts/script-queue.ts';
import type { Deliverer } from '../webhook-delivery/deliverer.ts';
import type { DailyBackup } from './backup/daily-backup.ts';
import type { ScheduleWorker } from './schedule-worker.ts';

export interface ScheduledDeps extends LifecycleDeps {
  readonly clockCheck: Pick<ClockCheck, 'isOff' | 'compare'>;
  /** Undefined when the settings ask for none. */
  readonly dailyBackup?: Pick<DailyBackup, 'makeIfDue'> | undefined;
  readonly logRetentionDays: number;
  readonly logMaxBytes: number;
}

export interface MaintenanceDeps extends ScheduledDeps {
  readonly deliverer: Pick<Deliverer, 'start' | 'stop'>;
  /** The workers for refreshes, registrations of webhooks at providers, deletions, and erasures. */
  readonly dueWorkers: readonly Pick<DueWorker<unknown>, 'start' | 'stop'>[];
  readonly matching: Pick<WorkTable, 'start' | 'stop'>;
  readonly scriptQueue: Pick<ScriptQueue, 'start' | 'stop'>;
  readonly schedules: Pick<ScheduleWorker<ScheduledDeps>, 'start' | 'stop'>;
}
