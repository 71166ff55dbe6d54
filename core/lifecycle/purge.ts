import type { Knex } from 'knex';
import { deleteOperationsBefore } from '../activity/activity-store.ts';
import { eraseDeletedBefore } from '../connections/connection-store.ts';
import type { Clock } from '../kit/clock.ts';

const DAY_MS = 24 * 60 * 60_000;
const BATCH = 5_000;
/** A deletion takes seconds; what is only marked after this long lost its process. */
const MARKED_MS = 60 * 60_000;

export interface PurgeDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly logRetentionDays: number;
}

/** Removes what has had its time: log entries beyond their retention, connections whose deletion was cut off. */
export async function purge({ db, clock, logRetentionDays }: PurgeDeps): Promise<void> {
  const now = clock.now().getTime();
  await eraseDeletedBefore(db, new Date(now - MARKED_MS));
  const oldest = new Date(now - logRetentionDays * DAY_MS);
  while ((await deleteOperationsBefore(db, oldest, BATCH)) === BATCH);
}
