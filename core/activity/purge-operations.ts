import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import { type Clock, daysBefore } from '../kit/clock.ts';
import { deleteOperationsBefore } from './activity-store.ts';

export interface OperationPurgeDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly logRetentionDays: number;
}

/** Removes log entries beyond their retention. */
export async function purgeOperations({ db, clock, logRetentionDays }: OperationPurgeDeps): Promise<void> {
  const oldest = daysBefore(clock.now(), logRetentionDays);
  await inBatches((limit) => deleteOperationsBefore(db, oldest, limit));
}
