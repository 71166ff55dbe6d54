import type { Knex } from 'knex';
import type { WebhookMessageRow } from '../../core/webhook-delivery/webhook-rows.ts';

interface MessageRow extends WebhookMessageRow {
  /** The content of the message's row in `webhook_payloads`. */
  readonly payload: Buffer | null;
}

/** Returns a query for webhook messages in the form that `readContent` takes, the oldest first. */
export function messageRows(db: Knex): Knex.QueryBuilder<object, MessageRow[]> {
  return db('webhook_messages as message')
    .leftJoin('webhook_payloads as stored', 'stored.id', 'message.payload_id')
    .orderBy('message.id')
    .select('message.*', 'stored.content as payload');
}
