import { removeExpiredChoices } from '../connect/flows/choice-store.ts';
import { addMissingSearchWords } from '../connections/search-word-store.ts';
import { maintainPartitions } from '../journal/operation-log/partitions.ts';
import type { ScheduledDeps } from './deps.ts';
import { applyRetention } from './retention.ts';
import type { Schedule } from './schedule-worker.ts';

const SCHEDULES: readonly Schedule<ScheduledDeps>[] = [
  { name: 'log-partitions', everySeconds: 60, run: maintainPartitions },
  { name: 'choice-purge', everySeconds: 60, run: unlessClockIsOff(removeExpiredChoices) },
  { name: 'search-words', everySeconds: 60, run: addMissingSearchWords },
  { name: 'purge', everySeconds: 3_600, run: unlessClockIsOff(applyRetention) },
];

const BACKUP: Schedule<ScheduledDeps> = {
  name: 'backup',
  everySeconds: 3_600,
  // The folder may be another one than before, or empty.
  isDueAtStart: true,
  run: async ({ dailyBackup }) => dailyBackup?.makeIfDue(),
};

/** Returns the schedules of an instance: those that its settings leave out are left to instances that have them. */
export function schedulesOf({ dailyBackup }: Pick<ScheduledDeps, 'dailyBackup'>): readonly Schedule<ScheduledDeps>[] {
  return dailyBackup === undefined ? SCHEDULES : [...SCHEDULES, BACKUP];
}

/** Skips a deletion while the clock of this machine is far from the database's, since deleted rows cannot be restored. */
function unlessClockIsOff(remove: (deps: ScheduledDeps) => Promise<unknown>): (deps: ScheduledDeps) => Promise<unknown> {
  return async (deps) => {
    if (!deps.clockCheck.isOff) await remove(deps);
  };
}
