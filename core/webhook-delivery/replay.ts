import type { Knex } from 'knex';
import { withLongTransaction } from '../db/transaction.ts';
import type { Signals } from '../db/work-signals.ts';
import { ServiceError } from '../errors.ts';
import { type MessageFilter, messageById, oldestMessages } from './message-list-store.ts';
import { lockTargetsOf, restartSchedule } from './replay-store.ts';
import { resumeTargets } from './target-store.ts';

/**
 * Maximum number of webhooks per request, which bounds the duration of the statement; for more, the caller repeats the request.
 */
export const MAX_REPLAYED = 10_000;

/**
 * Resends a webhook with the same ID and its full schedule; resumes its target.
 *
 * @throws ServiceError `not_found`
 */
export async function replayMessage(
  deps: { readonly db: Knex; readonly signals: Signals },
  environmentId: number,
  messageId: string,
): Promise<void> {
  await withLongTransaction(deps.db, async (trx) => {
    const message = await messageById(trx, environmentId, messageId);
    if (message === undefined) throw unknownMessage();
    await replayRows(deps, trx, { environmentId, ids: [message.id] });
  });
}

/** Resends the oldest webhooks that match. @returns how many, at most `MAX_REPLAYED` */
export async function replayMessages(
  deps: { readonly db: Knex; readonly signals: Signals },
  environmentId: number,
  filter: MessageFilter,
): Promise<number> {
  return withLongTransaction(deps.db, async (trx) => {
    const ids = await oldestMessages(trx, environmentId, { ...filter, limit: MAX_REPLAYED });
    return await replayRows(deps, trx, { environmentId, ids });
  });
}

export function unknownMessage(): ServiceError {
  return new ServiceError('not_found', 'there is no such webhook');
}

interface Replayed {
  readonly environmentId: number;
  readonly ids: readonly number[];
}

async function replayRows(
  { signals }: { readonly signals: Signals },
  trx: Knex.Transaction,
  { environmentId, ids }: Replayed,
): Promise<number> {
  const targets = await lockTargetsOf(trx, environmentId, ids);
  const count = await restartSchedule(trx, environmentId, ids);
  const resumed = await resumeTargets(trx, environmentId, targets);
  signals.send(trx, 'webhook-messages', resumed);
  return count;
}
