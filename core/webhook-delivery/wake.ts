import type { Knex } from 'knex';
import type { Queue } from '../db/queue.ts';

/** Jobs that say no more than that a target may have something to do; the truth is in the tables. */
export const DELIVER_QUEUE = 'webhook-deliver';

export interface Wake {
  readonly targetId: number;
  /** Look whether the target holds more than it may. */
  readonly checkLimits?: boolean;
}

interface LaterWake {
  readonly targetId: number;
  /** One for each reason waits at a time. */
  readonly why: 'lease' | 'hold';
  readonly seconds: number;
}

/** Has a target looked at later, unless that is arranged already. The transaction holds the target's lock. */
export async function wakeLater(
  { queue }: { readonly queue: Pick<Queue, 'send'> },
  trx: Knex.Transaction,
  { targetId, why, seconds }: LaterWake,
): Promise<void> {
  const wake: Wake = { targetId };
  const startAfterSeconds = Math.ceil(seconds);
  await queue.send(DELIVER_QUEUE, wake, { trx, startAfterSeconds, singletonKey: `${why}:${targetId}` });
}

/** Has a target looked at when the wait of one of its messages is over. */
export async function wakeAfter(
  { queue }: { readonly queue: Pick<Queue, 'send'> },
  trx: Knex.Transaction,
  { targetId, waitMs }: { readonly targetId: number; readonly waitMs: number },
): Promise<void> {
  const wake: Wake = { targetId };
  await queue.send(DELIVER_QUEUE, wake, { trx, startAfterSeconds: Math.ceil(waitMs / 1_000) });
}
