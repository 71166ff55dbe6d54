import type { Knex } from 'knex';
import type { WebhookMessageRow } from '../../core/webhook-delivery/webhook-rows.ts';

interface MessageRow extends WebhookMessageRow {
  /** What the payload's row holds. */
  readonly payload: Buffer | null;
}

/** Webhook messages as `readContent` takes them, the oldest first. */
export function messageRows(db: Knex): Knex.QueryBuilder<object, MessageRow[]> {
  return db('webhook_messages as message')
    .leftJoin('webhook_payloads as stored', 'stored.id', 'message.payload_id')
    .orderBy('message.id')
    .select('message.*', 'stored.content as payload');
}
