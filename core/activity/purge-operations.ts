import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import type { Clock } from '../kit/clock.ts';
import { deleteOperationsBefore } from './activity-store.ts';

const DAY_MS = 24 * 60 * 60_000;

export interface OperationPurgeDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly logRetentionDays: number;
}

/** Removes log entries beyond their retention. */
export async function purgeOperations({ db, clock, logRetentionDays }: OperationPurgeDeps): Promise<void> {
  const oldest = new Date(clock.now().getTime() - logRetentionDays * DAY_MS);
  await inBatches((limit) => deleteOperationsBefore(db, oldest, limit));
}
