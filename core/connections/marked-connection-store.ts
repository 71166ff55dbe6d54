import type { Knex } from 'knex';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import type { Connection } from './connection.ts';
import { type CallerAttributes, callerAttributes, fromRow, type JoinedRow } from './connection-row.ts';
import { credentialColumns } from './connection-store.ts';

/** Number of rows marked per statement: few enough that each statement ends long before its timeout. */
const MARKED_AT_ONCE = 5_000;

/** Selects all connections of an integration, or of a whole environment. */
interface MarkScope {
  readonly environmentId: number;
  readonly integrationId?: number | undefined;
}

/** Marks all connections of an integration or environment deleted, in the order of their IDs, in the transaction `trx`. */
export async function markConnectionsOf(trx: Knex, owner: MarkScope): Promise<void> {
  for (let afterId: number | null = 0; afterId !== null; ) afterId = await markSome(trx, owner, afterId);
}

/** Marks the next connections deleted. @returns the row ID of the last one; null when there was none */
async function markSome(trx: Knex, { environmentId, integrationId }: MarkScope, afterId: number): Promise<number | null> {
  const chosen = trx('connections')
    .where({ environment_id: environmentId, ...(integrationId !== undefined && { integration_id: integrationId }) })
    .whereNull('deleted_at')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(MARKED_AT_ONCE)
    .forUpdate()
    .select('id');
  const { rows }: { rows: { last: number | null }[] } = await trx.raw(
    `with chosen as ?,
      marked as (update connections set deleted_at = now() from chosen where connections.id = chosen.id returning connections.id),
      gone as (delete from refreshes using marked where connection_id = marked.id)
    select max(id) as last from marked`,
    [chosen],
  );
  return rows[0]?.last ?? null;
}

/** A connection that waits to be erased. */
export interface MarkedConnection
  extends CallerAttributes,
    Pick<Connection, 'id' | 'connectionId' | 'providerConfigKey' | 'provider'> {
  /** True when the connection had been deleted before its integration was. */
  readonly wasDeletedAlone: boolean;
  /** Decrypts the row. @throws KeyRingError when the row cannot be decrypted */
  open(): Connection;
}

/**
 * Returns the row IDs of the connections of an integration that is marked deleted, whether or not the connections are marked
 * themselves. Only the IDs, so that one search can find many: each new search has to pass over the index entries of all
 * connections that were erased before.
 */
export async function idsOfMarked(
  db: Knex,
  integration: { readonly id: number; readonly environmentId: number },
  limit: number,
): Promise<number[]> {
  return db('connections')
    .where({ integration_id: integration.id, environment_id: integration.environmentId })
    .orderBy('id')
    .limit(limit)
    .pluck('id');
}

/**
 * Returns the same IDs as `idsOfMarked`, except those of connections for which only the last step of the deletion remains: the
 * revocation at the provider.
 */
export async function idsToCleanUp(db: Knex, integration: Parameters<typeof idsOfMarked>[1], limit: number): Promise<number[]> {
  return db('connections')
    .leftJoin('connection_deletions', 'connection_deletions.connection_id', 'connections.id')
    .where({ 'connections.integration_id': integration.id, 'connections.environment_id': integration.environmentId })
    .whereRaw(`connection_deletions.step is distinct from 'revoke'`)
    .orderBy('connections.id')
    .limit(limit)
    .pluck('connections.id');
}

export async function markedConnections(
  { db, keys }: StoreDeps,
  environmentId: number,
  ids: readonly number[],
): Promise<MarkedConnection[]> {
  // Connections deleted with the integration were marked in the same transaction, so at the same time.
  const wasDeletedAlone = `coalesce(connections.deleted_at <> integrations.deleted_at, false) as was_deleted_alone`;
  const rows: (JoinedRow & { was_deleted_alone: boolean })[] = await db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .where('connections.environment_id', environmentId)
    .whereNotNull('integrations.deleted_at')
    .whereRaw('connections.id = any(?)', [[...ids]])
    .select('connections.*', 'integrations.unique_key as provider_config_key', 'integrations.provider', db.raw(wasDeletedAlone));
  return rows.map((row) => ({
    ...callerAttributes(row),
    id: row.id,
    wasDeletedAlone: row.was_deleted_alone,
    connectionId: row.connection_id,
    providerConfigKey: row.provider_config_key,
    provider: row.provider,
    open: () => fromRow(keys, row),
  }));
}

/**
 * Reads a connection that was deleted while its integration was not, and the row ID of that integration.
 *
 * @returns undefined when the connection is gone, or when its integration was deleted since: then it is erased with the
 *   integration
 */
export async function connectionMarkedAlone(
  { db, keys }: StoreDeps,
  { environmentId, id }: Pick<Connection, 'environmentId' | 'id'>,
): Promise<
  (Pick<MarkedConnection, 'connectionId' | 'providerConfigKey' | 'provider' | 'open'> & { integrationId: number }) | undefined
> {
  const row: JoinedRow | undefined = await db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .where({ 'connections.environment_id': environmentId, 'connections.id': id })
    .whereNotNull('connections.deleted_at')
    .whereNull('integrations.deleted_at')
    .first('connections.*', 'integrations.unique_key as provider_config_key', 'integrations.provider');
  return (
    row && {
      connectionId: row.connection_id,
      providerConfigKey: row.provider_config_key,
      provider: row.provider,
      integrationId: row.integration_id,
      open: () => fromRow(keys, row),
    }
  );
}

/** Stores credentials that were refreshed for the last calls to the provider about a connection that is marked deleted. */
export async function storeLastCredentials(
  { db, keys }: StoreDeps,
  connection: Pick<Connection, 'id' | 'environmentId' | 'integrationId'>,
  credentials: StoredCredentials,
): Promise<void> {
  await db('connections')
    .where({ id: connection.id, environment_id: connection.environmentId })
    .whereNotNull('deleted_at')
    .update(credentialColumns(keys, credentials, connection));
}

/** Erases connections. @returns the IDs of those that still existed */
export async function eraseConnections(db: Knex, environmentId: number, ids: readonly number[]): Promise<number[]> {
  const erased: { id: number }[] = await db('connections')
    .where({ environment_id: environmentId })
    .whereRaw('id = any(?)', [[...ids]])
    .delete('id');
  return erased.map(({ id }) => id);
}

/**
 * Erases connections that were deleted before a time while their integrations were not.
 *
 * @returns how many were erased, at most `limit`
 */
export async function eraseDeletedBefore(db: Knex, before: Date, limit: number): Promise<number> {
  const marked = db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .where('connections.deleted_at', '<', before)
    .whereNull('integrations.deleted_at')
    .orderBy('connections.deleted_at')
    .limit(limit)
    .select('connections.id');
  return db('connections').whereIn('id', marked).delete();
}
