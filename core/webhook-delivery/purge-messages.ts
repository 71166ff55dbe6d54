import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import { withTransaction } from '../db/transaction.ts';
import { type Clock, daysBefore } from '../kit/clock.ts';
import { deleteEndedBefore, expireMessages, targetsBeyond, trimEnded } from './limit-store.ts';
import { ENDED_BYTES } from './limits.ts';
import { deleteUnusedPayloads } from './payload-store.ts';

export interface MessagePurgeDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly logRetentionDays: number;
}

const PAGE = 5_000;

/** Gives up messages that wait beyond the retention, and removes ended ones beyond it or beyond what one target may keep. */
export async function purgeMessages({ db, clock, logRetentionDays }: MessagePurgeDeps): Promise<void> {
  await inBatches((limit) => expireMessages(db, { days: logRetentionDays, limit }));
  const oldest = daysBefore(clock.now(), logRetentionDays);
  await inBatches((limit) => deleteEndedBefore(db, oldest, limit));
  for (const targetId of await targetsBeyond(db, ENDED_BYTES))
    await withTransaction(db, (trx) => trimEnded(trx, targetId, ENDED_BYTES));
  for (let afterId: number | undefined = 0; afterId !== undefined; )
    afterId = await deleteUnusedPayloads(db, { afterId, limit: PAGE });
}
