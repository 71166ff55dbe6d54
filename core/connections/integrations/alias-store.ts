import type { Knex } from 'knex';
import type { Integration } from './integration.ts';

interface IntegrationAliasRow {
  readonly environment_id: number;
  readonly unique_key: string;
  readonly integration_id: number;
  readonly created_at: Date;
}

/**
 * Keeps an integration's former key as an alias. When several integrations had the key, the last one gets the alias. `db` is the
 * transaction of the renaming.
 */
export async function insertAlias(
  db: Knex,
  { environmentId, id, uniqueKey }: Pick<Integration, 'environmentId' | 'id' | 'uniqueKey'>,
): Promise<void> {
  await db<IntegrationAliasRow>('integration_aliases')
    .insert({ environment_id: environmentId, unique_key: uniqueKey, integration_id: id })
    .onConflict(['environment_id', 'unique_key'])
    .merge(['integration_id']);
}

/**
 * Deletes the alias of a key. To be called after an integration got the key, in the same transaction, which prevents another alias
 * of it until then.
 */
export async function deleteAlias(
  db: Knex,
  { environmentId, uniqueKey }: Pick<Integration, 'environmentId' | 'uniqueKey'>,
): Promise<void> {
  await db<IntegrationAliasRow>('integration_aliases').where({ environment_id: environmentId, unique_key: uniqueKey }).delete();
}
