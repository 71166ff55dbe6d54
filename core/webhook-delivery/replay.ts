import type { Knex } from 'knex';
import type { Queue } from '../db/queue.ts';
import { withLongTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import { type MessageFilter, messageById, oldestMessages } from './message-list-store.ts';
import { beginAnew, lockTargetsOf } from './replay-store.ts';
import { resumeTargets } from './target-store.ts';
import { DELIVER_QUEUE, type Wake } from './wake.ts';

/** One statement stays well within the database's limit of time; whoever means more asks again. */
export const MAX_REPLAYED = 10_000;

export interface ReplayDeps {
  readonly db: Knex;
  readonly queue: Pick<Queue, 'sendAll'>;
}

/**
 * Sends a message again, under its ID and with its whole schedule; ends a pause of its target.
 *
 * @throws ServiceError `not_found`
 */
export async function replayMessage(deps: ReplayDeps, environmentId: number, messageId: string): Promise<void> {
  await withLongTransaction(deps.db, async (trx) => {
    const message = await messageById(trx, environmentId, messageId);
    if (message === undefined) throw unknownMessage();
    await replayRows(deps.queue, trx, { environmentId, ids: [message.id] });
  });
}

/** The same for the oldest that match. @returns how many, at most `MAX_REPLAYED` */
export async function replayMessages(deps: ReplayDeps, environmentId: number, filter: MessageFilter): Promise<number> {
  return withLongTransaction(deps.db, async (trx) => {
    const ids = await oldestMessages(trx, environmentId, { ...filter, limit: MAX_REPLAYED });
    return await replayRows(deps.queue, trx, { environmentId, ids });
  });
}

export function unknownMessage(): ServiceError {
  return new ServiceError('not_found', 'there is no such webhook message');
}

interface Replayed {
  readonly environmentId: number;
  readonly ids: readonly number[];
}

async function replayRows(queue: ReplayDeps['queue'], trx: Knex.Transaction, { environmentId, ids }: Replayed): Promise<number> {
  const targets = await lockTargetsOf(trx, environmentId, ids);
  const count = await beginAnew(trx, environmentId, ids);
  const resumed = await resumeTargets(trx, environmentId, targets);
  const wakes: readonly Wake[] = resumed.map((targetId) => ({ targetId }));
  await queue.sendAll(DELIVER_QUEUE, wakes, { trx });
  return count;
}
