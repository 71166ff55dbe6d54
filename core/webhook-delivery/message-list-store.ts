import type { Knex } from 'knex';
import { MAX_HOLD_SECONDS } from './target-store.ts';
import type { WebhookAttemptRow, WebhookMessageRow } from './webhook-rows.ts';

/** Selects webhooks of an environment; all conditions that are present must be met. */
export interface MessageFilter {
  readonly status?: WebhookMessageRow['status'] | undefined;
  readonly type?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly providerConfigKeys?: readonly string[] | undefined;
  /** Created at or after this time. */
  readonly since?: Date | undefined;
  /** Created before this time. */
  readonly until?: Date | undefined;
}

export interface MessagePosition {
  readonly limit: number;
  /** Only webhooks listed after the one with this ID, which are older. */
  readonly after?: number | undefined;
  readonly offset?: number | undefined;
}

const LISTED = [
  'id',
  'message_id',
  'type',
  'operation',
  'success',
  'connection_id',
  'provider_config_key',
  'status',
  'created_at',
] as const;

/**
 * When the next attempt may be made, which the target may delay; null if none is scheduled. The column alone says when the webhook
 * would be due, also while its target is paused.
 */
const NEXT_ATTEMPT = `(
  select greatest(webhook_messages.next_attempt_at,
    case when t.open_until <= now() + ${MAX_HOLD_SECONDS} * interval '1 second' then t.open_until end)
  from webhook_targets t
  where t.id = webhook_messages.target_id and t.paused_at is null and webhook_messages.status = 'pending'
    and (webhook_messages.attempt_until > now()) is not true
) as next_attempt_at`;

export type ListedMessageRow = Pick<WebhookMessageRow, (typeof LISTED)[number] | 'next_attempt_at'>;
interface ReadMessageRow extends ListedMessageRow, Pick<WebhookMessageRow, 'environment_id' | 'content'> {
  /** The content of the payload's row; null if the webhook refers to none. */
  readonly payload: Buffer | null;
}
export type ReadAttemptRow = Omit<WebhookAttemptRow, 'id' | 'message_id'>;

/** Lists webhooks of one environment without their content, newest first: IDs are assigned in the order of creation. */
export async function listMessages(
  db: Knex,
  environmentId: number,
  { limit, after, offset = 0, ...filter }: MessageFilter & MessagePosition,
): Promise<ListedMessageRow[]> {
  const query = matching(db, environmentId, filter).orderBy('id', 'desc').limit(limit).offset(offset);
  if (after !== undefined) query.where('id', '<', after);
  return query.select<ListedMessageRow[]>(...LISTED, db.raw(NEXT_ATTEMPT));
}

/** Returns the row IDs of the oldest matches. */
export async function oldestMessages(
  db: Knex,
  environmentId: number,
  { limit, ...filter }: MessageFilter & Pick<MessagePosition, 'limit'>,
): Promise<number[]> {
  const rows: Pick<WebhookMessageRow, 'id'>[] = await matching(db, environmentId, filter).orderBy('id').limit(limit).select('id');
  return rows.map(({ id }) => id);
}

/** @param messageIds `webhook-id` values @returns the IDs of their targets */
export async function targetsOf(db: Knex, messageIds: readonly string[]): Promise<number[]> {
  return db('webhook_messages').whereIn('message_id', messageIds).pluck('target_id');
}

/** Returns one webhook with its content, by the ID in its `webhook-id` header. */
export async function messageById(db: Knex, environmentId: number, messageId: string): Promise<ReadMessageRow | undefined> {
  const payload = db('webhook_payloads').whereRaw('webhook_payloads.id = webhook_messages.payload_id').select('content');
  return db('webhook_messages')
    .where({ environment_id: environmentId, message_id: messageId })
    .first(...LISTED, db.raw(NEXT_ATTEMPT), 'environment_id', 'content', payload.as('payload'));
}

/** Returns the latest attempts of a webhook, oldest first. @param id of the row */
export async function attemptsOf(db: Knex, id: number, limit: number): Promise<ReadAttemptRow[]> {
  const rows = await db<WebhookAttemptRow>('webhook_attempts')
    .where({ message_id: id })
    .orderBy('id', 'desc')
    .limit(limit)
    .select('at', 'url', 'status', 'duration_ms', 'error', 'is_replay');
  return rows.toReversed();
}

function matching(db: Knex, environmentId: number, filter: MessageFilter) {
  const query = db<WebhookMessageRow>('webhook_messages').where({ environment_id: environmentId });
  if (filter.status !== undefined) query.where('status', filter.status);
  if (filter.type !== undefined) query.where('type', filter.type);
  if (filter.connectionId !== undefined) query.where('connection_id', filter.connectionId);
  if (filter.providerConfigKeys !== undefined) query.whereRaw('provider_config_key = any(?)', [[...filter.providerConfigKeys]]);
  if (filter.since !== undefined) query.where('created_at', '>=', filter.since);
  if (filter.until !== undefined) query.where('created_at', '<', filter.until);
  return query;
}
