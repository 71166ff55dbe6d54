import type { Knex } from 'knex';
import type { WebhookMessageRow } from '../../core/webhook-delivery/webhook-rows.ts';

interface MessageRow extends WebhookMessageRow {
  /** The message's payload, from the table `webhook_payloads`. */
  readonly payload: Buffer | null;
}

/** Returns a query for webhook messages, the oldest first, with the columns that `readContent` needs. */
export function messageRows(db: Knex): Knex.QueryBuilder<object, MessageRow[]> {
  return db('webhook_messages as message')
    .leftJoin('webhook_payloads as stored', 'stored.id', 'message.payload_id')
    .orderBy('message.id')
    .select('message.*', 'stored.content as payload');
}
