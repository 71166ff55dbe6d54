import type { Knex } from 'knex';
import { toCursor } from '../db/cursor.ts';
import type { ConnectionState, Tags } from './connection.ts';
import type { AccountColumns, ConnectionListRow } from './connection-row.ts';
import { searchPage } from './connection-search-store.ts';
import type { IntegrationRow } from './integrations/integration-row.ts';
import { searchTerms } from './search-words.ts';

export interface ConnectionFilter {
  readonly tags?: Tags | undefined;
  readonly connectionId?: string | undefined;
  readonly providerConfigKeys?: readonly string[] | undefined;
  /** Terms, each of which has to be a prefix of a word of the connection (`search-words.ts`). */
  readonly search?: string | undefined;
  readonly endUserId?: string | undefined;
  readonly endUserOrganizationId?: string | undefined;
  /** Only connections in any of these states. */
  readonly states?: readonly ConnectionState[] | undefined;
  /** Maximum number of connections of the page. */
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

interface ConnectionPage<Row> {
  readonly rows: readonly Row[];
  /** The cursor of the next page; null: this is the last one. */
  readonly nextCursor: string | null;
}

/**
 * Lists the connections that match the filter, without their credentials. A connection must have all tags of the filter, which
 * are looked up in the GIN index on `tags`.
 */
export async function listConnections(
  db: Knex,
  environmentId: number,
  filter: ConnectionFilter,
): Promise<ConnectionPage<ConnectionListRow>> {
  const { rows, nextCursor } = await pageOf(db, environmentId, filter);
  return { rows: await rows.select(COLUMNS), nextCursor };
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
): Promise<ConnectionPage<ConnectionOverviewRow>> {
  const { rows, nextCursor } = await pageOf(db, environmentId, filter);
  return { rows: await rows.select(OVERVIEW_COLUMNS), nextCursor };
}

/**
 * Looks up a page and builds the query for its rows. The IDs of the rows are looked up first, without joins, so that an index alone
 * finds them.
 */
async function pageOf(db: Knex, environmentId: number, filter: ConnectionFilter) {
  const order = filter.isOldestFirst ? 'asc' : 'desc'; // IDs ascend in order of creation
  const ids = await idsOf(db, environmentId, { ...filter, limit: filter.limit + 1 }, order);
  const page = ids.slice(0, filter.limit);
  const last = page.at(-1);
  const rows = db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .where('connections.environment_id', environmentId)
    .whereRaw('connections.id = any(?)', [page])
    .orderBy('connections.id', order);
  return { rows, nextCursor: ids.length > page.length && last !== undefined ? toCursor(last) : null };
}

async function idsOf(db: Knex, environmentId: number, filter: ConnectionFilter, order: 'asc' | 'desc'): Promise<number[]> {
  const { search, limit, offset = 0 } = filter;
  const integrationIds = await idsOfIntegrations(db, environmentId, filter.providerConfigKeys);
  const passing = () => passingQuery(db, environmentId, filter, integrationIds);
  if (search === undefined) return passing().orderBy('id', order).limit(limit).offset(offset).pluck('id');
  const terms = searchTerms(search);
  return terms.length === 0 ? [] : searchPage(db, { environmentId, terms, order, limit, offset }, passing);
}

/** Builds the query for the row IDs of all connections that pass the filters other than the search. */
function passingQuery(
  db: Knex,
  environmentId: number,
  filter: ConnectionFilter,
  integrationIds: readonly number[] | undefined,
): Knex.QueryBuilder {
  const query = db('connections')
    .where('environment_id', environmentId)
    .whereNull('deleted_at')
    .whereRaw(OF_LIVE_INTEGRATION)
    .select('id');
  if (filter.tags !== undefined) query.whereRaw('tags @> ?::jsonb', [JSON.stringify(filter.tags)]);
  if (filter.connectionId !== undefined) query.where('connection_id', filter.connectionId);
  if (integrationIds !== undefined) query.whereIn('integration_id', integrationIds);
  if (filter.states !== undefined) query.whereIn('state', filter.states);
  if (filter.after !== undefined) query.where('id', filter.isOldestFirst ? '>' : '<', filter.after);
  if (filter.endUserId !== undefined) {
    query.whereRaw(`(end_user ->> 'id' = ? or tags @> ?::jsonb)`, [
      filter.endUserId,
      JSON.stringify({ end_user_id: filter.endUserId }),
    ]);
  }
  if (filter.endUserOrganizationId !== undefined) {
    query.whereRaw(`(end_user -> 'organization' ->> 'id' = ? or tags @> ?::jsonb)`, [
      filter.endUserOrganizationId,
      JSON.stringify({ organization_id: filter.endUserOrganizationId }),
    ]);
  }
  return query;
}

/**
 * Leaves out a connection that was stored while its integration was being deleted. It is a subquery, which is evaluated only for
 * the connections that an index has found, since the planner may begin a join with the integrations.
 */
const OF_LIVE_INTEGRATION = '(select deleted_at is null from integrations where integrations.id = connections.integration_id)';

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
  const { rows } = await listConnections(db, environmentId, { connectionId, limit });
  return rows.map((row) => row.provider_config_key);
}
