import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import { type Clock, daysBefore } from '../kit/clock.ts';
import { deleteRunsBefore, deleteRunsBeyond } from './run-store.ts';

/** Of one script. */
const KEPT_RUNS = 10_000;

export interface RunPurgeDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly logRetentionDays: number;
}

/** Removes runs beyond their retention, or beyond what is kept of one script. */
export async function purgeRuns({ db, clock, logRetentionDays }: RunPurgeDeps): Promise<void> {
  const oldest = daysBefore(clock.now(), logRetentionDays);
  await inBatches((limit) => deleteRunsBefore(db, oldest, limit));
  await inBatches((limit) => deleteRunsBeyond(db, KEPT_RUNS, limit));
}
