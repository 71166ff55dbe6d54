import type { Knex } from 'knex';
import { escapeLike } from '../db/escape-like.ts';
import type { ConnectionState, Tags } from './connection.ts';
import type { AccountColumns, ConnectionListRow } from './connection-row.ts';
import type { IntegrationRow } from './integrations/integration-row.ts';

export interface ConnectionFilter {
  readonly tags?: Tags | undefined;
  readonly connectionId?: string | undefined;
  readonly providerConfigKeys?: readonly string[] | undefined;
  /** A part of the connection's ID or of the end user's name or e-mail address, case-insensitive. */
  readonly search?: string | undefined;
  readonly endUserId?: string | undefined;
  readonly endUserOrganizationId?: string | undefined;
  /** Only connections in any of these states. */
  readonly states?: readonly ConnectionState[] | undefined;
  readonly limit: number;
  /** Default: newest first. */
  readonly isOldestFirst?: boolean | undefined;
  /** Only connections that come after the one with this row ID. */
  readonly after?: number | undefined;
  readonly offset?: number | undefined;
}

const COLUMNS = [
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

/** The columns that `search` looks into, joined by line feeds. The expression is the same as in the index `connections_search`. */
const SEARCHED = [
  'connections.connection_id',
  `coalesce(connections.end_user ->> 'display_name', '')`,
  `coalesce(connections.end_user ->> 'email', '')`,
  `coalesce(connections.tags ->> 'end_user_display_name', '')`,
  `coalesce(connections.tags ->> 'end_user_email', '')`,
].join(` || E'\\n' || `);

/**
 * Lists the connections that match the filter, without their credentials. A connection must have all tags of the filter, which
 * are looked up in the GIN index on `tags`.
 */
export async function listConnections(db: Knex, environmentId: number, filter: ConnectionFilter): Promise<ConnectionListRow[]> {
  const { query } = await matching(db, environmentId, filter);
  return query.select(COLUMNS);
}

/** A connection in the dashboard's list. */
export type ConnectionOverviewRow = AccountColumns &
  Omit<ConnectionListRow, 'metadata' | 'connection_config' | 'auth_error_log_id' | 'updated_at'> & {
    readonly integration_name: string;
    readonly state: ConnectionState;
  };

const OVERVIEW_COLUMNS = [
  'connections.id',
  'connections.environment_id',
  'connections.connection_id',
  'connections.state',
  'connections.tags',
  'connections.end_user',
  'connections.provider_account',
  'connections.created_at',
  'connections.last_fetched_at',
  'integrations.unique_key as provider_config_key',
  'integrations.display_name as integration_name',
  'integrations.provider',
];

/** Returns the same connections as `listConnections`, in the same order, with the columns of the dashboard's list. */
export async function connectionOverview(
  db: Knex,
  environmentId: number,
  filter: ConnectionFilter,
): Promise<ConnectionOverviewRow[]> {
  const { query } = await matching(db, environmentId, filter);
  return query.select(OVERVIEW_COLUMNS);
}

/** Builds the query for a filter. It is returned in an object, since awaiting the query itself would run it. */
async function matching(
  db: Knex,
  environmentId: number,
  filter: ConnectionFilter,
): Promise<{ readonly query: Knex.QueryBuilder }> {
  const integrationIds = await idsOfIntegrations(db, environmentId, filter.providerConfigKeys);
  const query = db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .where({ 'connections.environment_id': environmentId, 'integrations.environment_id': environmentId })
    .whereNull('connections.deleted_at')
    .whereNull('integrations.deleted_at')
    .orderBy('connections.id', filter.isOldestFirst ? 'asc' : 'desc') // IDs ascend in order of creation
    .limit(filter.limit)
    .offset(filter.offset ?? 0);
  if (filter.tags !== undefined) query.whereRaw('connections.tags @> ?::jsonb', [JSON.stringify(filter.tags)]);
  if (filter.connectionId !== undefined) query.where('connections.connection_id', filter.connectionId);
  if (integrationIds !== undefined) query.whereIn('connections.integration_id', integrationIds);
  if (filter.states !== undefined) query.whereIn('connections.state', filter.states);
  if (filter.after !== undefined) query.where('connections.id', filter.isOldestFirst ? '>' : '<', filter.after);
  if (filter.endUserId !== undefined) {
    query.whereRaw(`(connections.end_user ->> 'id' = ? or connections.tags @> ?::jsonb)`, [
      filter.endUserId,
      JSON.stringify({ end_user_id: filter.endUserId }),
    ]);
  }
  if (filter.endUserOrganizationId !== undefined) {
    query.whereRaw(`(connections.end_user -> 'organization' ->> 'id' = ? or connections.tags @> ?::jsonb)`, [
      filter.endUserOrganizationId,
      JSON.stringify({ organization_id: filter.endUserOrganizationId }),
    ]);
  }
  if (filter.search !== undefined) query.whereRaw(`(${SEARCHED}) ilike ?`, [`%${escapeLike(filter.search)}%`]);
  return { query };
}

/**
 * Looks up the row IDs of the integrations in a separate query, so that the database can choose an index according to the number
 * of connections that these integrations have.
 */
async function idsOfIntegrations(db: Knex, environmentId: number, keys: readonly string[] | undefined) {
  if (keys === undefined) return;
  const own = db<IntegrationRow>('integrations').where({ environment_id: environmentId }).whereNull('deleted_at');
  return own.whereIn('unique_key', keys).pluck('id');
}

/** Returns the keys of the integrations, at most `limit`, that have a connection with this ID. */
export async function integrationsWithConnection(
  db: Knex,
  environmentId: number,
  { connectionId, limit }: { readonly connectionId: string; readonly limit: number },
): Promise<string[]> {
  const rows = await listConnections(db, environmentId, { connectionId, limit });
  return rows.map((row) => row.provider_config_key);
}
