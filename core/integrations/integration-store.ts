import type { Knex } from 'knex';
import { nextId } from '../db/next-id.ts';
import type { IntegrationRow } from '../db/rows.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import type { ClientApp, Integration, ListedIntegration } from './integration.ts';

export interface IntegrationStoreDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

type NewIntegration = Omit<Integration, 'id' | 'createdAt' | 'updatedAt'>;

const LISTED = [
  'id',
  'environment_id',
  'unique_key',
  'provider',
  'display_name',
  'forward_webhooks',
  'created_at',
  'updated_at',
] as const;

type ListedRow = Pick<IntegrationRow, (typeof LISTED)[number]>;

/** Undefined when the environment has an integration of that key already. */
export async function insertIntegration(deps: IntegrationStoreDeps, wanted: NewIntegration): Promise<Integration | undefined> {
  const id = await nextId(deps.db, 'integrations');
  const [row] = await deps
    .db<IntegrationRow>('integrations')
    .insert({
      id,
      environment_id: wanted.environmentId,
      unique_key: wanted.uniqueKey,
      provider: wanted.provider,
      display_name: wanted.displayName,
      forward_webhooks: wanted.forwardWebhooks,
      client: deps.keys.encrypt(JSON.stringify(wanted.client), place(wanted.environmentId, id)),
      integration_config: wanted.integrationConfig,
    })
    .onConflict()
    .ignore()
    .returning('*');
  return row && fromRow(deps.keys, row);
}

export async function integrationByKey(
  deps: IntegrationStoreDeps,
  environmentId: number,
  uniqueKey: string,
): Promise<Integration | undefined> {
  const row = await live(deps.db, environmentId).where({ unique_key: uniqueKey }).first();
  return row && fromRow(deps.keys, row);
}

export async function integrationById(
  deps: IntegrationStoreDeps,
  environmentId: number,
  id: number,
): Promise<Integration | undefined> {
  const row = await live(deps.db, environmentId).where({ id }).first();
  return row && fromRow(deps.keys, row);
}

export async function integrationsOf(db: Knex, environmentId: number): Promise<ListedIntegration[]> {
  const rows: ListedRow[] = await db<IntegrationRow>('integrations')
    .where({ environment_id: environmentId })
    .whereNull('deleted_at')
    .orderBy(['provider', 'created_at', 'id'])
    .select(LISTED);
  return rows.map(listed);
}

/** Which provider each of these integrations has; of keys that do not exist there is nothing in the map. */
export async function providersByKey(
  db: Knex,
  environmentId: number,
  uniqueKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db<IntegrationRow>('integrations')
    .where({ environment_id: environmentId })
    .whereNull('deleted_at')
    .whereRaw('unique_key = any(?)', [[...uniqueKeys]])
    .select('unique_key', 'provider');
  return new Map(rows.map((row) => [row.unique_key, row.provider]));
}

function live(db: Knex, environmentId: number): Knex.QueryBuilder<IntegrationRow, IntegrationRow[]> {
  return db<IntegrationRow>('integrations').where({ environment_id: environmentId }).whereNull('deleted_at').select('*');
}

function place(environmentId: number, rowId: number): Place {
  return { table: 'integrations', column: 'client', environmentId, rowId };
}

function fromRow(keys: KeyRing, row: IntegrationRow): Integration {
  return {
    ...listed(row),
    client: JSON.parse(keys.decrypt(row.client, place(row.environment_id, row.id))) as ClientApp,
    integrationConfig: row.integration_config,
  };
}

function listed(row: ListedRow): ListedIntegration {
  return {
    id: row.id,
    environmentId: row.environment_id,
    uniqueKey: row.unique_key,
    provider: row.provider,
    displayName: row.display_name,
    forwardWebhooks: row.forward_webhooks,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
