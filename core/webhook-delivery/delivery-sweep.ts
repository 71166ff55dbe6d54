import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import type { Queue } from '../db/queue.ts';
import { expireMessages } from './limit-store.ts';
import { dueTargets } from './target-store.ts';
import { DELIVER_QUEUE, type Wake } from './wake.ts';

const MAX_TARGETS = 10_000;

export interface DeliverySweepDeps {
  readonly db: Knex;
  readonly queue: Pick<Queue, 'sendAll'>;
  readonly logRetentionDays: number;
}

/** Gives up what is too old to be sent, and has targets looked at that have something due: a job may have been lost. */
export async function sweepDeliveries({ db, queue, logRetentionDays }: DeliverySweepDeps): Promise<void> {
  await inBatches((limit) => expireMessages(db, { days: logRetentionDays, limit }));
  const wakes: readonly Wake[] = (await dueTargets(db, MAX_TARGETS)).map((targetId) => ({ targetId }));
  await queue.sendAll(DELIVER_QUEUE, wakes);
}
