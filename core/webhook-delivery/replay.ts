import type { Knex } from 'knex';
import { withLongTransaction } from '../db/transaction.ts';
import type { Signals } from '../db/work-signals.ts';
import { ServiceError } from '../errors.ts';
import { type MessageFilter, messageById, oldestMessages } from './message-list-store.ts';
import { lockTargetsOf, restartSchedule } from './replay-store.ts';
import { isAnyHeld, resumeTargets } from './target-store.ts';

/**
 * Maximum number of webhooks per request, which bounds the duration of the statement; for more, the caller repeats the request.
 */
export const MAX_REPLAYED = 10_000;

interface Replay {
  readonly count: number;
  /** Whether some of them wait, since their URL was removed. */
  readonly isHeld: boolean;
}

/**
 * Resends a webhook with the same ID and its full schedule; resumes its target.
 *
 * @throws ServiceError `not_found`
 */
export async function replayMessage(
  deps: { readonly db: Knex; readonly signals: Signals },
  environmentId: number,
  messageId: string,
): Promise<Replay> {
  return withLongTransaction(deps.db, async (trx) => {
    const message = await messageById(trx, environmentId, messageId);
    if (message === undefined) throw unknownMessage();
    return await replayRows(deps, trx, { environmentId, ids: [message.id] });
  });
}

/** Resends the oldest webhooks that match, at most `MAX_REPLAYED`. @returns also whether more match */
export async function replayMessages(
  deps: { readonly db: Knex; readonly signals: Signals },
  environmentId: number,
  filter: MessageFilter,
): Promise<Replay & { readonly hasMore: boolean }> {
  return withLongTransaction(deps.db, async (trx) => {
    const found = await oldestMessages(trx, environmentId, { ...filter, limit: MAX_REPLAYED + 1 });
    const done = await replayRows(deps, trx, { environmentId, ids: found.slice(0, MAX_REPLAYED) });
    return { ...done, hasMore: found.length > MAX_REPLAYED };
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
): Promise<Replay> {
  const targets = await lockTargetsOf(trx, environmentId, ids);
  const count = await restartSchedule(trx, environmentId, ids);
  const resumed = await resumeTargets(trx, environmentId, targets);
  signals.send(trx, 'webhook-messages', resumed);
  return { count, isHeld: await isAnyHeld(trx, targets) };
}
