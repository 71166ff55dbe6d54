import type { Knex } from 'knex';
import type { WebhookPayloadRow } from './webhook-rows.ts';

export async function insertPayloads(trx: Knex.Transaction, rows: readonly WebhookPayloadRow[]): Promise<void> {
  await trx<WebhookPayloadRow>('webhook_payloads').insert([...rows]);
}

export async function payloadById(db: Knex, environmentId: number, id: number): Promise<WebhookPayloadRow | undefined> {
  return db<WebhookPayloadRow>('webhook_payloads').where({ id, environment_id: environmentId }).first('*');
}

interface MessagePage {
  readonly afterId: number;
  readonly limit: number;
}

/**
 * Reads a page of payloads by row ID and deletes those that no webhook and no queued script refers to. References are only
 * created in the transaction that inserts the payload.
 *
 * @returns the last ID of the page; undefined if it was empty
 */
export async function deleteUnusedPayloads(db: Knex, { afterId, limit }: MessagePage): Promise<number | undefined> {
  const { rows }: { rows: { last: number | null }[] } = await db.raw(
    `with page as materialized (
       select id from webhook_payloads where id > :afterId order by id limit :limit
     ), removed as (
       delete from webhook_payloads p using page
       where p.id = page.id
         and not exists (select 1 from webhook_messages m where m.payload_id = p.id)
         and not exists (select 1 from script_queue q where q.payload_id = p.id)
     )
     select max(id) as last from page`,
    { afterId, limit },
  );
  return rows[0]?.last ?? undefined;
}

/**
 * Deletes payloads of an environment that is being erased, after its webhooks.
 *
 * @returns how many were deleted, at most `limit`
 */
export async function deletePayloadsOf(db: Knex, environmentId: number, limit: number): Promise<number> {
  const some = db('webhook_payloads').where({ environment_id: environmentId }).limit(limit).select('id');
  return db('webhook_payloads').whereIn('id', some).delete();
}
