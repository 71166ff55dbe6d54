import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import { isTaken } from '../../db/missing-reference.ts';
import { nextId } from '../../db/next-id.ts';
import type { StoreDeps } from '../../db/store-deps.ts';
import { parseJson } from '../../kit/exact-json.ts';
import { type KeyRing, KeyRingError, type Place, type Statement } from '../../kit/key-ring.ts';
import type { ConnectionRow } from '../connection-row.ts';
import type { ClientApp, Integration, ListedIntegration } from './integration.ts';
import type { IntegrationRow } from './integration-row.ts';
import { openPart } from './secret-fields.ts';

type NewIntegration = Omit<Integration, 'id' | 'secretConfig' | 'connectScreen' | 'createdAt' | 'updatedAt'> &
  Partial<Pick<Integration, 'secretConfig'>>;

const LISTED = [
  'id',
  'environment_id',
  'unique_key',
  'provider',
  'display_name',
  'forward_webhooks',
  'connect_guide_url',
  'connect_position',
  'created_at',
  'updated_at',
] as const;

type ListedRow = Pick<IntegrationRow, (typeof LISTED)[number]>;

/** Inserts an integration. @returns undefined when the environment already has an integration with that key */
export async function insertIntegration(deps: StoreDeps, integration: NewIntegration): Promise<Integration | undefined> {
  const id = await nextId(deps.db, 'integrations');
  const [row] = await deps
    .db<IntegrationRow>('integrations')
    .insert({
      id,
      environment_id: integration.environmentId,
      unique_key: integration.uniqueKey,
      provider: integration.provider,
      display_name: integration.displayName,
      forward_webhooks: integration.forwardWebhooks,
      ...sealedColumns(deps.keys, { ...integration, id }),
    })
    .onConflict()
    .ignore()
    .returning('*');
  return row && fromRow(deps.keys, row);
}

export async function integrationByKey(
  deps: StoreDeps,
  environmentId: number,
  uniqueKey: string,
): Promise<Integration | undefined> {
  const row = await live(deps.db, environmentId).where({ unique_key: uniqueKey }).first();
  return row && fromRow(deps.keys, row);
}

/** Reads the row ID of an integration, without decrypting the row. */
export async function idByKey(db: Knex, environmentId: number, uniqueKey: string): Promise<number | undefined> {
  const row = await live(db, environmentId).where({ unique_key: uniqueKey }).first('id');
  return row?.id;
}

export async function integrationById(deps: StoreDeps, environmentId: number, id: number): Promise<Integration | undefined> {
  const row = await live(deps.db, environmentId).where({ id }).first();
  return row && fromRow(deps.keys, row);
}

/** Reads an integration and locks its row against changes and deletion until the transaction `db` ends. */
export async function lockIntegrationByKey(
  deps: StoreDeps,
  environmentId: number,
  uniqueKey: string,
): Promise<Integration | undefined> {
  const row = await live(deps.db, environmentId).where({ unique_key: uniqueKey }).forUpdate().first();
  return row && fromRow(deps.keys, row);
}

/**
 * Writes all columns that can be changed. To be called in the transaction `db` that has locked the row.
 *
 * @returns undefined when the new key is taken
 */
export async function updateIntegration(deps: StoreDeps, integration: Integration): Promise<Integration | undefined> {
  try {
    const [row] = await deps
      .db<IntegrationRow>('integrations')
      .where({ id: integration.id, environment_id: integration.environmentId })
      .whereNull('deleted_at')
      .update({
        unique_key: integration.uniqueKey,
        display_name: integration.displayName,
        forward_webhooks: integration.forwardWebhooks,
        connect_guide_url: integration.connectScreen.guideUrl,
        connect_position: integration.connectScreen.position,
        ...sealedColumns(deps.keys, integration),
        updated_at: deps.db.raw('clock_timestamp()'), // unlike now(), later than the changes this transaction waited for
      })
      .returning('*');
    return row && fromRow(deps.keys, row);
  } catch (error) {
    if (isTaken(error)) return undefined;
    throw error;
  }
}

export async function integrationsOf(db: Knex, environmentId: number): Promise<ListedIntegration[]> {
  const rows: ListedRow[] = await live(db, environmentId).orderBy(['provider', 'created_at', 'id']).select(LISTED);
  return rows.map(listed);
}

/** Returns the oldest integrations of these providers, at most `limit`. */
export async function firstIntegrations(
  { db, keys }: StoreDeps,
  environmentId: number,
  { providers, limit }: { readonly providers: readonly string[]; readonly limit: number },
): Promise<Integration[]> {
  const rows = await live(db, environmentId)
    .whereRaw('provider = any(?)', [[...providers]])
    .orderBy('id')
    .limit(limit);
  return rows.map((row) => fromRow(keys, row));
}

/** Returns the provider of each of these integrations; keys that do not exist are not in the map. */
export async function providersByKey(
  db: Knex,
  environmentId: number,
  uniqueKeys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await live(db, environmentId)
    .whereRaw('unique_key = any(?)', [[...uniqueKeys]])
    .select('unique_key', 'provider');
  return new Map(rows.map((row) => [row.unique_key, row.provider]));
}

/** Locks the row against deletion and renaming until the transaction `db` ends. @returns false if it does not exist */
export async function lockIntegration(db: Knex, environmentId: number, id: number): Promise<boolean> {
  const row = await live(db, environmentId).where({ id }).forShare().first('id');
  return row !== undefined;
}

/**
 * Returns whether the integration has a connection, including those that are being deleted: their tokens may still have to be
 * revoked.
 */
export async function hasConnections(
  db: Knex,
  { id, environmentId }: Pick<Integration, 'id' | 'environmentId'>,
): Promise<boolean> {
  const row = await db('connections').where({ integration_id: id, environment_id: environmentId }).first('id');
  return row !== undefined;
}

/**
 * Returns the fingerprints of the clients (apps) by which the integration's connections were authorized, including connections
 * that are marked deleted, since their tokens may still have to be revoked.
 */
export async function clientsOfConnections(
  db: Knex,
  { id, environmentId }: Pick<Integration, 'id' | 'environmentId'>,
): Promise<(string | null)[]> {
  const rows = await db<ConnectionRow>('connections')
    .where({ integration_id: id, environment_id: environmentId })
    .distinct('client_fingerprint');
  return rows.map(({ client_fingerprint }) => client_fingerprint);
}

/** Returns integrations of all environments that keep former clients, in the order of their row IDs, beginning after this one. */
export async function integrationsWithFormerClients(
  db: Knex,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<Pick<Integration, 'id' | 'environmentId' | 'uniqueKey'>[]> {
  const rows = await db<IntegrationRow>('integrations')
    .where({ has_former_clients: true })
    .whereNull('deleted_at')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .select('id', 'environment_id', 'unique_key');
  return rows.map((row) => ({ id: row.id, environmentId: row.environment_id, uniqueKey: row.unique_key }));
}

function live(db: Knex, environmentId: number) {
  return db<IntegrationRow>('integrations').where({ environment_id: environmentId }).whereNull('deleted_at');
}

export function integrationPlace(
  column: 'client' | 'secret_config',
  row: { readonly environmentId: number; readonly id: number },
): Place {
  return { table: 'integrations', column, environmentId: row.environmentId, rowId: row.id };
}

type Sealable = Pick<Integration, 'id' | 'environmentId' | 'provider' | 'client' | 'integrationConfig'> &
  Partial<Pick<Integration, 'secretConfig'>>;

function sealedColumns(
  keys: KeyRing,
  { client, integrationConfig, secretConfig = {}, ...row }: Sealable,
): Pick<IntegrationRow, 'client' | 'has_former_clients' | 'integration_config' | 'secret_config' | 'mac'> {
  const hasSecrets = Object.keys(secretConfig).length > 0;
  const open = openPart(integrationConfig, secretConfig);
  return {
    mac: keys.authenticate(
      integrationStatement({ id: row.id, environment_id: row.environmentId, provider: row.provider, integration_config: open }),
    ),
    client: keys.encrypt(JSON.stringify(client), integrationPlace('client', row)),
    has_former_clients: client.formerClients !== undefined,
    integration_config: open,
    secret_config: hasSecrets ? keys.encrypt(JSON.stringify(secretConfig), integrationPlace('secret_config', row)) : null,
  };
}

type DecidingColumns = Pick<IntegrationRow, 'id' | 'environment_id' | 'provider' | 'integration_config'>;

/**
 * Returns what the MAC of a row authenticates: the columns that decide to which hosts secrets of the integration and of its
 * connections are sent.
 */
export function integrationStatement(row: DecidingColumns): Statement {
  return ['integrations', row.environment_id, row.id, row.provider, row.integration_config];
}

/**
 * Decrypts a row, whether or not it is marked deleted.
 *
 * @throws KeyRingError when the row cannot be decrypted, or when its provider or configuration was not written by this service
 */
export function fromRow(keys: KeyRing, row: IntegrationRow): Integration {
  if (!keys.isAuthentic(row.mac, integrationStatement(row)))
    throw new KeyRingError(
      'unreadable_value',
      `the provider or the configuration in row ${row.id} of integrations was not written by this service`,
    );
  const fields = listed(row);
  const secretConfig =
    row.secret_config === null
      ? {}
      : (parseJson(keys.decrypt(row.secret_config, integrationPlace('secret_config', fields))) as JsonObject);
  return {
    ...fields,
    client: parseJson(keys.decrypt(row.client, integrationPlace('client', fields))) as ClientApp,
    integrationConfig: { ...row.integration_config, ...secretConfig },
    secretConfig,
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
    connectScreen: { guideUrl: row.connect_guide_url, position: row.connect_position },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
