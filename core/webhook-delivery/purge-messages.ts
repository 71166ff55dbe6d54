import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import { withTransaction } from '../db/transaction.ts';
import { type Clock, daysBefore } from '../kit/clock.ts';
import { deleteEndedBefore, targetsBeyond, trimEnded } from './limit-store.ts';
import { ENDED_BYTES } from './limits.ts';
import { deleteUnusedPayloads } from './payload-store.ts';

export interface MessagePurgeDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly logRetentionDays: number;
}

const PAGE = 5_000;

/** Removes ended messages, with attempts and payloads, beyond their retention or what one target may keep. */
export async function purgeMessages({ db, clock, logRetentionDays }: MessagePurgeDeps): Promise<void> {
  const oldest = daysBefore(clock.now(), logRetentionDays);
  await inBatches((limit) => deleteEndedBefore(db, oldest, limit));
  for (const targetId of await targetsBeyond(db, ENDED_BYTES))
    await withTransaction(db, (trx) => trimEnded(trx, targetId, ENDED_BYTES));
  for (let afterId: number | undefined = 0; afterId !== undefined; )
    afterId = await deleteUnusedPayloads(db, { afterId, limit: PAGE });
}
