import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { deleteDeliveriesBefore, deleteDuplicatesBefore } from './delivery-store.ts';

const DAY_MS = 24 * 3_600_000;

export interface DeliveryPurgeDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
  readonly logRetentionDays: number;
}

/** Forgets which deliveries were seen more than a day ago, and those that could not be handled in all the time since. */
export async function purgeDeliveries({ db, clock, log, logRetentionDays }: DeliveryPurgeDeps): Promise<void> {
  const now = clock.now().getTime();
  await inBatches((limit) => deleteDuplicatesBefore(db, new Date(now - DAY_MS), limit));
  let lost = 0;
  await inBatches(async (limit) => {
    const count = await deleteDeliveriesBefore(db, new Date(now - logRetentionDays * DAY_MS), limit);
    lost += count;
    return count;
  });
  if (lost > 0) log.error('webhooks that could not be handled were removed', { count: lost });
}
