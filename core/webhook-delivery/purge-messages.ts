import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import { withTransaction } from '../db/transaction.ts';
import { type Clock, daysBefore } from '../kit/clock.ts';
import { deleteEndedBefore, targetsBeyond, trimEnded } from './limit-store.ts';
import { ENDED_BYTES } from './limits.ts';

export interface MessagePurgeDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly logRetentionDays: number;
}

/** Removes ended messages, with their attempts, beyond their retention or what one target may keep. */
export async function purgeMessages({ db, clock, logRetentionDays }: MessagePurgeDeps): Promise<void> {
  const oldest = daysBefore(clock.now(), logRetentionDays);
  await inBatches((limit) => deleteEndedBefore(db, oldest, limit));
  for (const targetId of await targetsBeyond(db, ENDED_BYTES))
    await withTransaction(db, (trx) => trimEnded(trx, targetId, ENDED_BYTES));
}
