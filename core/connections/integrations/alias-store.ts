import type { Knex } from 'knex';
import type { Integration } from './integration.ts';

interface IntegrationAliasRow {
  readonly environment_id: number;
  readonly unique_key: string;
  readonly integration_id: number;
  readonly created_at: Date;
}

/**
 * Keeps an integration's former key as an alias. If several integrations had the key, the alias is that of the one that had it
 * last. To be called in the transaction `db` in which the integration is renamed.
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
 * Deletes the alias of a key. To be called after an integration has got the key, in the same transaction, so that nobody can
 * create another alias of the key in between.
 */
export async function deleteAlias(
  db: Knex,
  { environmentId, uniqueKey }: Pick<Integration, 'environmentId' | 'uniqueKey'>,
): Promise<void> {
  await db<IntegrationAliasRow>('integration_aliases').where({ environment_id: environmentId, unique_key: uniqueKey }).delete();
}

/**
 * Returns the keys, and all former keys of the integrations that have them now: what happened before a key was changed is recorded
 * with the former one.
 */
export async function withFormerKeys(db: Knex, environmentId: number, keys: readonly string[]): Promise<readonly string[]> {
  const former: string[] = await db('integration_aliases as alias')
    .join('integrations', 'integrations.id', 'alias.integration_id')
    .where({ 'alias.environment_id': environmentId, 'integrations.environment_id': environmentId })
    .whereNull('integrations.deleted_at')
    .whereRaw('integrations.unique_key = any(?)', [[...keys]])
    .pluck('alias.unique_key');
  return [...new Set([...keys, ...former])];
}
