import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import { AUTH_MODES } from '../auth-modes/index.ts';
import { nextId } from '../db/next-id.ts';
import type { ConnectionRow } from '../db/rows.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import type { Connection, Tags } from './connection.ts';
import { type ConnectionListRow, credentialsPlace, fromRow, type JoinedRow, secretConfigPlace } from './connection-row.ts';
import { openConfig } from './secret-config.ts';

export interface ConnectionStoreDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

/** Which connection is meant. The environment is always part of the question. */
export interface ConnectionAddress {
  readonly environmentId: number;
  readonly providerConfigKey: string;
  readonly connectionId: string;
}

export async function findConnection(deps: ConnectionStoreDeps, address: ConnectionAddress): Promise<Connection | undefined> {
  const row: JoinedRow | undefined = await live(deps.db, address.environmentId)
    .select(ALL_COLUMNS)
    .where({ 'integrations.unique_key': address.providerConfigKey, 'connections.connection_id': address.connectionId })
    .first();
  return row && fromRow(deps.keys, row);
}

export async function connectionById(
  deps: ConnectionStoreDeps,
  environmentId: number,
  id: number,
): Promise<Connection | undefined> {
  const row: JoinedRow | undefined = await live(deps.db, environmentId)
    .select(ALL_COLUMNS)
    .where({ 'connections.id': id })
    .first();
  return row && fromRow(deps.keys, row);
}

export type NewConnection = Pick<
  Connection,
  | 'environmentId'
  | 'integrationId'
  | 'connectionId'
  | 'credentials'
  | 'connectionConfig'
  | 'tags'
  | 'endUser'
  | 'webhookUrlOverride'
> &
  Partial<Pick<Connection, 'secretConfig'>>;

/** @returns the new row's ID */
export async function insertConnection(deps: ConnectionStoreDeps, wanted: NewConnection): Promise<number> {
  const id = await nextId(deps.db, 'connections');
  await deps.db<ConnectionRow>('connections').insert({
    id,
    environment_id: wanted.environmentId,
    integration_id: wanted.integrationId,
    connection_id: wanted.connectionId,
    ...credentialColumns(deps.keys, wanted.credentials, { environmentId: wanted.environmentId, id }),
    connection_config: openConfig(wanted),
    secret_config: sealed(deps.keys, wanted.secretConfig ?? {}, { environmentId: wanted.environmentId, id }),
    tags: wanted.tags,
    end_user: wanted.endUser,
    webhook_url_override: wanted.webhookUrlOverride,
  });
  return id;
}

/**
 * A new authorization: new credentials under a new generation, everything wrong forgotten, newly discovered configuration
 * merged over the old.
 *
 * @returns false when the connection is gone
 */
export async function replaceAuthorization(
  deps: ConnectionStoreDeps,
  connection: Pick<Connection, 'id' | 'environmentId' | 'secretConfig'>,
  authorized: Pick<Connection, 'credentials' | 'connectionConfig' | 'secretConfig'>,
): Promise<boolean> {
  const secretConfig = { ...connection.secretConfig, ...authorized.secretConfig };
  const changed = await deps
    .db<ConnectionRow>('connections')
    .where({ id: connection.id, environment_id: connection.environmentId })
    .whereNull('deleted_at')
    .update({
      ...credentialColumns(deps.keys, authorized.credentials, connection),
      generation: deps.db.raw('generation + 1'),
      connection_config: deps.db.raw('(connection_config || ?::jsonb) - ?::text[]', [
        JSON.stringify(openConfig(authorized)),
        Object.keys(secretConfig),
      ]),
      secret_config: sealed(deps.keys, secretConfig, connection),
      refresh_owner: null,
      refresh_until: null,
      refresh_unresolved_until: null,
      refresh_unknown: false,
      refresh_failures: 0,
      refresh_after: null,
      refreshed_at: deps.db.fn.now(),
      state: 'healthy',
      state_cause: null,
      state_since: deps.db.fn.now(),
      auth_error_log_id: null,
      updated_at: deps.db.fn.now(),
    });
  return changed === 1;
}

/** The columns that a write of credentials sets, for an insert or an update. */
export function credentialColumns(
  keys: KeyRing,
  credentials: StoredCredentials,
  row: { readonly environmentId: number; readonly id: number },
): Pick<ConnectionRow, 'credentials' | 'expires_at' | 'refreshable'> {
  const { expiresAt, refreshable } = AUTH_MODES[credentials.type].validity(credentials);
  return {
    credentials: keys.encrypt(JSON.stringify(credentials), credentialsPlace(row)),
    expires_at: expiresAt ?? null,
    refreshable,
  };
}

export interface ConnectionFilter {
  readonly tags?: Tags | undefined;
  readonly connectionId?: string | undefined;
  readonly providerConfigKeys?: readonly string[] | undefined;
  readonly limit: number;
  /** Only connections older than the one with this ID. */
  readonly before?: number | undefined;
  readonly offset?: number | undefined;
}

/** Connections without credentials, newest first; all given tags must be there (GIN index on `tags`). */
export async function listConnections(db: Knex, environmentId: number, filter: ConnectionFilter): Promise<ConnectionListRow[]> {
  const query = live(db, environmentId)
    .orderBy('connections.id', 'desc') // IDs are given in order of creation
    .limit(filter.limit)
    .offset(filter.offset ?? 0);
  if (filter.tags !== undefined) query.whereRaw('connections.tags @> ?::jsonb', [JSON.stringify(filter.tags)]);
  if (filter.connectionId !== undefined) query.where('connections.connection_id', filter.connectionId);
  if (filter.providerConfigKeys !== undefined) query.whereIn('integrations.unique_key', [...filter.providerConfigKeys]);
  if (filter.before !== undefined) query.where('connections.id', '<', filter.before);
  return query.select(LIST_COLUMNS) as Promise<ConnectionListRow[]>;
}

/** @returns false when there is no such connection any more */
export async function markDeleted(db: Knex, connection: Pick<Connection, 'id' | 'environmentId'>): Promise<boolean> {
  const changed = await db<ConnectionRow>('connections')
    .where({ id: connection.id, environment_id: connection.environmentId })
    .whereNull('deleted_at')
    .update({ deleted_at: db.fn.now() });
  return changed === 1;
}

export async function eraseConnection(db: Knex, connection: Pick<Connection, 'id' | 'environmentId'>): Promise<void> {
  await db('connections').where({ id: connection.id, environment_id: connection.environmentId }).delete();
}

/** Erases connections that were marked deleted before a time. @returns how many, at most `limit` */
export async function eraseDeletedBefore(db: Knex, before: Date, limit: number): Promise<number> {
  const marked = db('connections').where('deleted_at', '<', before).orderBy('deleted_at').limit(limit).select('id');
  return db('connections').whereIn('id', marked).delete();
}

/** Writes `last_fetched_at` of many connections in one statement. */
export async function touchConnections(db: Knex, ids: readonly number[], at: Date): Promise<void> {
  await db<ConnectionRow>('connections')
    .whereRaw('id = any(?)', [[...ids]]) // one binding, however many: a statement takes 65,535
    .where('last_fetched_at', '<', at)
    .update({ last_fetched_at: at });
}

const ALL_COLUMNS = ['connections.*', 'integrations.unique_key as provider_config_key', 'integrations.provider'];

const LIST_COLUMNS = [
  'connections.id',
  'connections.connection_id',
  'connections.auth_error_log_id',
  'connections.metadata',
  'connections.connection_config',
  'connections.tags',
  'connections.end_user',
  'connections.created_at',
  'connections.updated_at',
  'connections.last_fetched_at',
  'integrations.unique_key as provider_config_key',
  'integrations.provider',
];

function sealed(
  keys: KeyRing,
  secretConfig: JsonObject,
  row: { readonly environmentId: number; readonly id: number },
): Buffer | null {
  return Object.keys(secretConfig).length === 0 ? null : keys.encrypt(JSON.stringify(secretConfig), secretConfigPlace(row));
}

function live(db: Knex, environmentId: number) {
  return db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .where('connections.environment_id', environmentId)
    .whereNull('connections.deleted_at')
    .whereNull('integrations.deleted_at');
}
