import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import { type Clock, daysBefore } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { deleteDeliveriesBefore, deleteDuplicatesBefore } from './delivery-store.ts';

export interface DeliveryPurgeDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
  readonly logRetentionDays: number;
}

/** Forgets which deliveries were seen more than a day ago, and those that could not be handled in all the time since. */
export async function purgeDeliveries({ db, clock, log, logRetentionDays }: DeliveryPurgeDeps): Promise<void> {
  const now = clock.now();
  await inBatches((limit) => deleteDuplicatesBefore(db, daysBefore(now, 1), limit));
  let lost = 0;
  await inBatches(async (limit) => {
    const count = await deleteDeliveriesBefore(db, daysBefore(now, logRetentionDays), limit);
    lost += count;
    return count;
  });
  if (lost > 0) log.error('webhooks that could not be handled were removed', { count: lost });
}
