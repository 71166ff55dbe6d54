import type { Knex } from 'knex';
import type { IntegrationRow } from './integration-row.ts';

type NamedIntegration = Pick<IntegrationRow, 'display_name' | 'provider'>;

/** Returns the names and the providers of integrations by their keys; those that are deleted have none. */
export async function integrationNames(
  db: Knex,
  environmentId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, NamedIntegration>> {
  if (keys.length === 0) return new Map();
  const rows = await db<IntegrationRow>('integrations')
    .where({ environment_id: environmentId })
    .whereNull('deleted_at')
    .whereRaw('unique_key = any(?)', [[...new Set(keys)]])
    .select('unique_key', 'display_name', 'provider');
  return new Map(rows.map((row) => [row.unique_key, row]));
}
