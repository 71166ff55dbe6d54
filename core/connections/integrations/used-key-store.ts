import type { Knex } from 'knex';
import type { Integration } from './integration.ts';

type KeyOwner = Pick<Integration, 'environmentId' | 'uniqueKey'> & Partial<Pick<Integration, 'id'>>;

/**
 * Returns whether another integration has or had the key, even if that integration has a different key now or is deleted:
 * applications may still send their users to it.
 */
export async function isKeyOfAnother(db: Knex, { environmentId, uniqueKey, id }: KeyOwner): Promise<boolean> {
  const used = await db('used_integration_keys')
    .where({ environment_id: environmentId, unique_key: uniqueKey })
    .first('integration_id');
  return used !== undefined && used.integration_id !== id;
}

/** Records the key of an integration. To be called in the transaction in which the integration gets this key. */
export async function rememberKey(db: Knex, { environmentId, uniqueKey, id }: Required<KeyOwner>): Promise<void> {
  await db('used_integration_keys')
    .insert({ environment_id: environmentId, unique_key: uniqueKey, integration_id: id })
    .onConflict(['environment_id', 'unique_key'])
    .merge(['integration_id']);
}

/** Records the present and former keys of integrations that were imported into an environment. */
export async function rememberKeys(db: Knex, environmentId: number): Promise<void> {
  await db.raw(
    `insert into used_integration_keys (environment_id, unique_key, integration_id)
     select environment_id, unique_key, id from integrations where environment_id = :environmentId and deleted_at is null
     union all select environment_id, unique_key, integration_id from integration_aliases where environment_id = :environmentId
     on conflict (environment_id, unique_key) do update set integration_id = excluded.integration_id`,
    { environmentId },
  );
}
