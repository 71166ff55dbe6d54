import type { Knex } from 'knex';
import { preparedRead } from '../db/prepared-read.ts';
import type { IntegrationRow } from '../db/rows.ts';
import type { Integration } from '../integrations/integration.ts';
import { fromRow } from '../integrations/integration-store.ts';
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

// One statement, so that its time does not tell an environment that exists from one that does not.
const BY_ADDRESS = `
  select ${COLUMNS.map((column) => `integrations.${column}`).join(', ')}
  from environments join integrations on integrations.environment_id = environments.id
  where environments.uuid = ? and environments.deleted_at is null
    and integrations.unique_key = ? and integrations.deleted_at is null`;

export async function integrationAt(
  { db, keys }: { readonly db: Knex; readonly keys: KeyRing },
  { environmentUuid, uniqueKey }: { readonly environmentUuid: string; readonly uniqueKey: string },
): Promise<Integration | undefined> {
  const [row] = await preparedRead<IntegrationRow>(db, BY_ADDRESS, [environmentUuid, uniqueKey]);
  return row && fromRow(keys, row);
}
