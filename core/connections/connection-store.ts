import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { haveSameRefreshToken } from '../auth-modes/token-set.ts';
import { validityOf } from '../auth-modes/validity.ts';
import { nextId } from '../db/next-id.ts';
import { preparedRead } from '../db/prepared-read.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Connection } from './connection.ts';
import {
  ATTRIBUTE_COLUMNS,
  accountPlace,
  type CallerAttributes,
  type ConnectionPlace,
  type ConnectionRow,
  callerAttributes,
  credentialsPlace,
  fromRow,
  type JoinedRow,
  READ_COLUMNS,
  secretConfigPlace,
} from './connection-row.ts';
import type { Integration } from './integrations/integration.ts';
import { writeSearchWords } from './search-word-store.ts';
import { openConfig } from './secret-config.ts';

/** Identifies a connection. The environment is always part of the address. */
export interface ConnectionAddress {
  readonly environmentId: number;
  readonly providerConfigKey: string;
  readonly connectionId: string;
}

const MAX_ID = Number.MAX_SAFE_INTEGER;
// Constant SQL: these statements run for every call, and building the query each time would cost more than sending it.
const LIVE = `
  select ${READ_COLUMNS.map((column) => `connections.${column}`).join(', ')},
         integrations.unique_key as provider_config_key, integrations.provider
  from connections join integrations on integrations.id = connections.integration_id
  where connections.environment_id = ? and connections.deleted_at is null and integrations.deleted_at is null`;
const BY_ADDRESS = `${LIVE}
    and integrations.environment_id = ? and integrations.unique_key = ? and connections.connection_id = ?`;
const BY_ID = `${LIVE} and connections.id = ?`;
const LOCKED = `${LIVE} and integrations.id = ? and connections.connection_id = ? for update of connections`;

const OF_INTEGRATION = `${LIVE} and connections.integration_id = ? and connections.id < ? order by connections.id desc limit ?`;

export function findConnection(deps: StoreDeps, address: ConnectionAddress): Promise<Connection | undefined> {
  const { environmentId, providerConfigKey, connectionId } = address;
  return readOne(deps, BY_ADDRESS, [environmentId, environmentId, providerConfigKey, connectionId]);
}

export function connectionById(deps: StoreDeps, environmentId: number, id: number): Promise<Connection | undefined> {
  return readOne(deps, BY_ID, [environmentId, id]);
}

/**
 * Reads connections of an integration with their credentials, newest first.
 *
 * @param before row ID; only connections older than it are returned
 */
export async function connectionsOf(
  { db, keys }: StoreDeps,
  { environmentId, id }: Pick<Integration, 'environmentId' | 'id'>,
  { before = MAX_ID, limit }: { readonly before?: number | undefined; readonly limit: number },
): Promise<Connection[]> {
  const rows = await preparedRead<JoinedRow>(db, OF_INTEGRATION, [environmentId, id, before, limit]);
  return rows.map((row) => fromRow(keys, row));
}

/** Reads a connection and locks its row until the transaction `db` ends. */
export function lockConnection(
  deps: StoreDeps,
  { environmentId, integrationId, connectionId }: Pick<Connection, 'environmentId' | 'integrationId' | 'connectionId'>,
): Promise<Connection | undefined> {
  return readOne(deps, LOCKED, [environmentId, integrationId, connectionId]);
}

type NewConnection = Pick<
  Connection,
  | 'environmentId'
  | 'integrationId'
  | 'connectionId'
  | 'credentials'
  | 'connectionConfig'
  | 'clientFingerprint'
  | 'tags'
  | 'endUser'
  | 'webhookUrlOverride'
> &
  Partial<Pick<Connection, 'secretConfig' | 'metadata' | 'providerAccount'>>;

/** The columns and the condition of the unique index `connections_identity`. */
const IDENTITY = '(integration_id, connection_id) where deleted_at is null';

/**
 * Inserts a connection with the words by which it is found, in the transaction `deps.db`.
 *
 * @returns the new row's ID; undefined when the integration already has a connection with that `connectionId`
 */
export async function insertConnection(deps: StoreDeps, connection: NewConnection): Promise<number | undefined> {
  const id = await nextId(deps.db, 'connections');
  const place = { environmentId: connection.environmentId, integrationId: connection.integrationId, id };
  const row = {
    id,
    environment_id: connection.environmentId,
    integration_id: connection.integrationId,
    connection_id: connection.connectionId,
    ...credentialColumns(deps.keys, connection.credentials, place),
    client_fingerprint: connection.clientFingerprint,
    connection_config: openConfig(connection),
    secret_config: sealed(deps.keys, connection.secretConfig ?? {}, place),
    provider_account: sealedAccount(deps.keys, connection.providerAccount ?? null, place),
    tags: connection.tags,
    end_user: connection.endUser,
    webhook_url_override: connection.webhookUrlOverride,
    ...(connection.metadata !== undefined && { metadata: connection.metadata }),
    is_searchable: true,
  };
  const inserted = await deps
    .db<ConnectionRow>('connections')
    .insert(row)
    .onConflict(deps.db.raw(IDENTITY))
    .ignore()
    .returning('id');
  if (inserted.length === 0) return undefined;
  await writeSearchWords(deps.db, { providerAccount: null, ...connection, id });
  return id;
}

/**
 * Stores a new authorization: new credentials under a new generation; every error state is cleared, and newly discovered
 * configuration is merged over the old.
 *
 * @param connection as it was read and locked in the transaction `db`; its secret configuration is encrypted, so it is merged
 *   here and not in the database
 * @returns the attributes set by the application; undefined when the connection was deleted
 */
export async function replaceAuthorization(
  deps: StoreDeps,
  connection: ConnectionPlace & Pick<Connection, 'secretConfig' | 'credentials'>,
  authorized: Pick<Connection, 'credentials' | 'clientFingerprint' | 'connectionConfig' | 'secretConfig' | 'providerAccount'>,
): Promise<CallerAttributes | undefined> {
  const secretConfig = { ...connection.secretConfig, ...authorized.secretConfig };
  const [row] = await deps
    .db<ConnectionRow>('connections')
    .where({ id: connection.id, environment_id: connection.environmentId })
    .whereNull('deleted_at')
    .update({
      ...credentialColumns(deps.keys, authorized.credentials, connection),
      client_fingerprint: authorized.clientFingerprint,
      generation: deps.db.raw('generation + 1'),
      connection_config: deps.db.raw('(connection_config || ?::jsonb) - ?::text[]', [
        JSON.stringify(openConfig(authorized)),
        Object.keys(secretConfig),
      ]),
      secret_config: sealed(deps.keys, secretConfig, connection),
      provider_account: sealedAccount(deps.keys, authorized.providerAccount, connection),
      // `refresh_unknown` says that the refresh token may have been used up, so it stays set while the refresh token is the same.
      ...(!haveSameRefreshToken(connection.credentials, authorized.credentials) && { refresh_unknown: false }),
      refresh_failures: 0,
      refresh_after: null,
      refreshed_at: deps.db.fn.now(),
      state: 'healthy',
      state_cause: null,
      state_since: deps.db.fn.now(),
      auth_error_log_id: null,
      updated_at: deps.db.fn.now(),
    })
    .returning(ATTRIBUTE_COLUMNS);
  return row && callerAttributes(row);
}

/** Returns the columns that a write of credentials sets, for an insert or an update. */
export function credentialColumns(
  keys: KeyRing,
  credentials: StoredCredentials,
  row: ConnectionPlace,
): Pick<ConnectionRow, 'credentials' | 'expires_at' | 'refreshable'> {
  const { expiresAt, refreshable } = validityOf(credentials);
  return {
    credentials: keys.encrypt(JSON.stringify(credentials), credentialsPlace(row)),
    expires_at: expiresAt ?? null,
    refreshable,
  };
}

/** Marks a connection deleted. @returns the connection as it was when it was marked; undefined when it no longer exists */
export async function markDeleted({ db, keys }: StoreDeps, connection: Connection): Promise<Connection | undefined> {
  const [row] = await db<ConnectionRow>('connections')
    .where({ id: connection.id, environment_id: connection.environmentId })
    .whereNull('deleted_at')
    .update({ deleted_at: db.fn.now() })
    .returning(READ_COLUMNS);
  // A deleted connection is no longer refreshed.
  await db('refreshes').where({ connection_id: connection.id, environment_id: connection.environmentId }).delete();
  return row && fromRow(keys, { ...row, provider_config_key: connection.providerConfigKey, provider: connection.provider });
}

export async function eraseConnection(db: Knex, connection: Pick<Connection, 'id' | 'environmentId'>): Promise<void> {
  await db('connections').where({ id: connection.id, environment_id: connection.environmentId }).delete();
}

/** Writes `last_fetched_at` of many connections in one statement. */
export async function touchConnections(db: Knex, ids: readonly number[], at: Date): Promise<void> {
  await db<ConnectionRow>('connections')
    .whereRaw('id = any(?)', [[...ids]]) // One binding, however many IDs there are: a statement takes at most 65,535.
    .where('last_fetched_at', '<', at)
    .update({ last_fetched_at: at });
}

function sealed(keys: KeyRing, secretConfig: JsonObject, row: ConnectionPlace): Buffer | null {
  return Object.keys(secretConfig).length === 0 ? null : keys.encrypt(JSON.stringify(secretConfig), secretConfigPlace(row));
}

function sealedAccount(keys: KeyRing, account: Connection['providerAccount'], row: ConnectionPlace): Buffer | null {
  return account && keys.encrypt(JSON.stringify(account), accountPlace(row));
}

async function readOne(
  { db, keys }: StoreDeps,
  sql: string,
  bindings: readonly (string | number)[],
): Promise<Connection | undefined> {
  const [row] = await preparedRead<JoinedRow>(db, sql, bindings);
  return row && fromRow(keys, row);
}
