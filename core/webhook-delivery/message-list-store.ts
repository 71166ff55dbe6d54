import type { Knex } from 'knex';
import type { WebhookAttemptRow, WebhookMessageRow } from './webhook-rows.ts';

/** Selects webhooks of an environment; all conditions that are present must be met. */
export interface MessageFilter {
  readonly status?: WebhookMessageRow['status'] | undefined;
  readonly type?: string | undefined;
  readonly connectionId?: string | undefined;
  readonly providerConfigKey?: string | undefined;
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
  'next_attempt_at',
] as const;

export type ListedMessageRow = Pick<WebhookMessageRow, (typeof LISTED)[number]>;
interface ReadMessageRow extends Pick<WebhookMessageRow, (typeof LISTED)[number] | 'environment_id' | 'content'> {
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
  return query.select(LISTED);
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

/** Returns one webhook with its content, by the ID in its `webhook-id` header. */
export async function messageById(db: Knex, environmentId: number, messageId: string): Promise<ReadMessageRow | undefined> {
  const payload = db('webhook_payloads').whereRaw('webhook_payloads.id = webhook_messages.payload_id').select('content');
  return db<WebhookMessageRow>('webhook_messages')
    .where({ environment_id: environmentId, message_id: messageId })
    .first(...LISTED, 'environment_id', 'content', payload.as('payload'));
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
  if (filter.providerConfigKey !== undefined) query.where('provider_config_key', filter.providerConfigKey);
  if (filter.since !== undefined) query.where('created_at', '>=', filter.since);
  if (filter.until !== undefined) query.where('created_at', '<', filter.until);
  return query;
}
