import type { Knex } from 'knex';
import type { Integration } from '../connections/integrations/integration.ts';
import type { IntegrationRow } from '../connections/integrations/integration-row.ts';
import { fromRow } from '../connections/integrations/integration-store.ts';
import { preparedRead } from '../db/prepared-read.ts';
import type { KeyRing } from '../kit/key-ring.ts';

const COLUMNS = [
  'id',
  'environment_id',
  'unique_key',
  'provider',
  'display_name',
  'forward_webhooks',
  'client',
  'integration_config',
  'secret_config',
  'mac',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies readonly (keyof IntegrationRow)[];

// One statement, so that its duration does not reveal whether an environment exists.
const BY_ADDRESS = `
  select ${COLUMNS.map((column) => `integrations.${column}`).join(', ')}
  from environments join integrations on integrations.environment_id = environments.id
  where environments.uuid = ? and environments.deleted_at is null and integrations.deleted_at is null
    and integrations.id = coalesce(
      (select named.id from integrations named
       where named.environment_id = environments.id and named.unique_key = ? and named.deleted_at is null),
      (select alias.integration_id from integration_aliases alias
       where alias.environment_id = environments.id and alias.unique_key = ?))`;

/** Returns the integration with the key, or the one that had it last: webhook URLs stay valid after a renaming. */
export async function integrationAt(
  { db, keys }: { readonly db: Knex; readonly keys: KeyRing },
  { environmentUuid, uniqueKey }: { readonly environmentUuid: string; readonly uniqueKey: string },
): Promise<Integration | undefined> {
  const [row] = await preparedRead<IntegrationRow>(db, BY_ADDRESS, [environmentUuid, uniqueKey, uniqueKey]);
  return row && fromRow(keys, row);
}
