import type { Knex } from 'knex';
import type { WebhookMessageRow } from './webhook-rows.ts';

export type InsertedMessage = Pick<
  WebhookMessageRow,
  | 'id'
  | 'message_id'
  | 'environment_id'
  | 'target_id'
  | 'type'
  | 'operation'
  | 'success'
  | 'connection_id'
  | 'provider_config_key'
  | 'status'
  | 'content'
  | 'payload_id'
  | 'payload_bytes'
  | 'trace_context'
>;

/** Inserts webhooks that are due immediately. */
export async function insertMessages(trx: Knex.Transaction, rows: readonly InsertedMessage[]): Promise<void> {
  await trx('webhook_messages').insert(rows.map((row) => ({ ...row, next_attempt_at: trx.fn.now() })));
}

/** A webhook that a process has claimed for one attempt. */
export interface ClaimedMessage {
  readonly id: number;
  readonly environment_id: number;
  readonly messageId: string;
  readonly type: string;
  /** The operation that an `auth` webhook is about, or the type of a provider's event. */
  readonly operation: string | null;
  /** Whether what an `auth` webhook reports has succeeded; null for other webhooks, and when it is not known. */
  readonly success: boolean | null;
  readonly connectionId: string | null;
  readonly providerConfigKey: string | null;
  readonly content: Buffer;
  /** Number of attempts, including this one. */
  readonly tries: number;
  readonly isReplay: boolean;
  /** See `kit/tracing.ts`; null: each attempt begins a trace. */
  readonly traceContext: string | null;
}

/** A webhook to send now. */
export interface DueMessage extends ClaimedMessage {
  /** The content of the payload's row; null if the webhook refers to none. */
  readonly payload: Buffer | null;
}

/** Maximum number of concurrent attempts at one target, of all instances together. */
export const PARALLEL_PER_TARGET = 5;
/** Duration of the lease of a claimed webhook; longer than an attempt may take. */
const LEASE_SECONDS = 30;
export const LEASE = `${LEASE_SECONDS} * interval '1 second'`;
// Not `now()`, which is the beginning of the transaction: the transaction may have waited for the target's lock since.
const NOW = 'statement_timestamp()';
// A lease that ends later than possible was written before the database's clock was set back, and counts as expired.
const IN_FLIGHT = `attempt_until > ${NOW} and attempt_until <= ${NOW} + ${LEASE}`;
const CLAIMED = `m.id, m.environment_id, m.message_id as "messageId", m.type, m.operation, m.success, m.connection_id as "connectionId",
  m.content, m.tries, m.provider_config_key as "providerConfigKey", m.replayed_at is not null as "isReplay",
  m.trace_context as "traceContext"`;

export async function countInFlight(trx: Knex.Transaction, targetId: number): Promise<number> {
  const [row]: { count: number }[] = await trx('webhook_messages')
    .where({ target_id: targetId })
    .whereNotNull('attempt_until')
    .whereRaw(IN_FLIGHT)
    .count();
  return row?.count ?? 0;
}

/** Returns the webhooks of a target whose lease has expired. */
export async function interruptedMessages(trx: Knex.Transaction, targetId: number): Promise<ClaimedMessage[]> {
  return trx('webhook_messages as m')
    .where({ target_id: targetId, status: 'pending' })
    .whereNotNull('attempt_until')
    .whereRaw(`not (${IN_FLIGHT})`)
    .select(trx.raw(CLAIMED));
}

/**
 * Claims the due webhooks of a target, the longest waiting first. The attempt is counted before it is made, so that one that
 * crashes its process counts, too. The transaction must hold the target's lock.
 *
 * @param oldestDays older webhooks are not sent any more
 */
export async function claimDue(
  trx: Knex.Transaction,
  targetId: number,
  { limit, oldestDays }: { readonly limit: number; readonly oldestDays: number },
): Promise<DueMessage[]> {
  const { rows }: { rows: DueMessage[] } = await trx.raw(
    `with due as (
       select id from webhook_messages
       where target_id = :targetId and status = 'pending' and next_attempt_at <= ${NOW} and attempt_until is null
         and coalesce(replayed_at, created_at) > ${NOW} - :oldestDays * interval '1 day'
       order by next_attempt_at, id limit :limit
     )
     update webhook_messages m set tries = m.tries + 1, attempt_until = ${NOW} + ${LEASE}
     from due where m.id = due.id
     returning ${CLAIMED}, (select content from webhook_payloads p where p.id = m.payload_id) as payload`,
    { targetId, limit, oldestDays },
  );
  return rows.sort((a, b) => a.id - b.id);
}

export async function markDelivered(trx: Knex.Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await trx<WebhookMessageRow>('webhook_messages')
    .whereIn('id', ids)
    .whereIn('status', ['pending', 'paused'])
    .update({ status: 'delivered', attempt_until: null, next_attempt_at: null, ended_at: trx.fn.now() });
}

/** The state of a webhook after a failed attempt. */
export interface AfterFailure {
  readonly status: 'pending' | 'paused' | 'failed';
  /** Time until the next attempt, if the status is `pending`. */
  readonly waitMs?: number;
}

/**
 * Writes the state after an attempt. A webhook that was replayed during the attempt keeps the state of the replay; one that was
 * claimed again is left unchanged.
 */
export async function endAttempt(
  trx: Knex.Transaction,
  { id, tries }: Pick<ClaimedMessage, 'id' | 'tries'>,
  { status, waitMs }: AfterFailure,
): Promise<void> {
  const next = waitMs === undefined ? 'null::timestamptz' : `now() + :waitMs * interval '1 millisecond'`;
  await trx.raw(
    `update webhook_messages set attempt_until = null,
       status = case when tries = :tries then :status else status end,
       next_attempt_at = case when tries = :tries then ${next} else next_attempt_at end,
       ended_at = case when tries = :tries and :status = 'failed' then now() else ended_at end
     where id = :id and tries <= :tries and status = 'pending'`,
    { id, tries, status, ...(waitMs !== undefined && { waitMs }) },
  );
}

/**
 * Maximum number of webhooks to bring forward. A target that accepts nothing is probed about once a minute, which makes fewer
 * attempts than this in the 75 hours of the schedule, so fewer webhooks wait for a further attempt.
 */
const BROUGHT_FORWARD = 5_000;

/**
 * Makes due the webhooks that wait for their next attempt at a target, since the target has just accepted one. Each is brought
 * forward at most once a day, so that a webhook that fails although its target accepts others is not hurried through its
 * schedule.
 */
export async function bringForward(trx: Knex.Transaction, targetId: number): Promise<void> {
  await trx.raw(
    `update webhook_messages set next_attempt_at = ${NOW}, early_at = ${NOW}
     where id in (
         select id from webhook_messages
         where target_id = :targetId and status = 'pending' and next_attempt_at > ${NOW} and attempt_until is null
         order by next_attempt_at limit :limit)
       and coalesce(early_at < ${NOW} - interval '1 day', true)`,
    { targetId, limit: BROUGHT_FORWARD },
  );
}

/** Pauses the pending webhooks of a target that are not in flight. */
export async function pauseMessages(trx: Knex.Transaction, targetId: number): Promise<void> {
  await trx<WebhookMessageRow>('webhook_messages')
    .where({ target_id: targetId, status: 'pending' })
    .whereRaw(`(${IN_FLIGHT}) is not true`)
    .update({ status: 'paused', attempt_until: null });
}
