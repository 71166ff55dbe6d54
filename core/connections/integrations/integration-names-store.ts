import type { Knex } from 'knex';
import type { IntegrationRow } from './integration-row.ts';

export type NamedIntegration = Pick<IntegrationRow, 'unique_key' | 'display_name' | 'provider'>;

/**
 * Returns the integrations that have these keys, or else that had them before their keys were changed, by the given keys; those
 * that are deleted are left out.
 */
export async function integrationNames(
  db: Knex,
  environmentId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, NamedIntegration>> {
  if (keys.length === 0) return new Map();
  const { rows } = await db.raw<{ rows: (NamedIntegration & { readonly key: string })[] }>(NAMES, {
    environmentId,
    keys: [...new Set(keys)],
  });
  return new Map(rows.map(({ key, ...named }) => [key, named]));
}

/** A former key is that of another integration once one has it: the present ones come last, since the last one counts. */
const NAMES = `
  select key, integrations.unique_key, display_name, provider from (
    select alias.unique_key as key, alias.integration_id as id, 1 as turn from integration_aliases alias
    where alias.environment_id = :environmentId and alias.unique_key = any(:keys)
    union all
    select unique_key, id, 2 from integrations where environment_id = :environmentId and unique_key = any(:keys)
      and deleted_at is null
  ) found join integrations using (id)
  where integrations.environment_id = :environmentId and deleted_at is null
  order by turn`;
