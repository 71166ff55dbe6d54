import type { Knex } from 'knex';
import type { EnvironmentRow } from './environment-row.ts';

/**
 * @returns the encrypted key of the tags in webhook URLs; null when there is none yet, undefined when the environment has been
 *   deleted
 */
export async function webhookTagKeyOf(db: Knex, environmentId: number): Promise<Buffer | null | undefined> {
  const row = await live(db, environmentId).first('webhook_tag_key');
  return row?.webhook_tag_key;
}

/**
 * Stores a tag key unless there is one, and returns the stored one: instances that create one at the same time all get the same.
 */
export async function keepWebhookTagKey(db: Knex, environmentId: number, envelope: Buffer): Promise<Buffer | null | undefined> {
  const [row] = await live(db, environmentId)
    .update({ webhook_tag_key: db.raw('coalesce(webhook_tag_key, ?)', [envelope]) })
    .returning('webhook_tag_key');
  return row?.webhook_tag_key;
}

function live(db: Knex, environmentId: number): Knex.QueryBuilder<EnvironmentRow, EnvironmentRow[]> {
  return db<EnvironmentRow>('environments').where({ id: environmentId }).whereNull('deleted_at');
}
