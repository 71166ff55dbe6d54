import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { Connection } from './connection.ts';
import type { ConnectionRow } from './connection-row.ts';

/** The fields of a connection that may change without a new authorization; omitted ones stay unchanged. */
export type ConnectionChange = Partial<Pick<Connection, 'tags' | 'endUser' | 'webhookUrlOverride' | 'metadata'>>;

/** Changes fields of a connection. @returns false when the connection no longer exists */
export async function changeConnection(
  db: Knex,
  connection: Pick<Connection, 'id' | 'environmentId'>,
  { tags, endUser, webhookUrlOverride, metadata }: ConnectionChange,
): Promise<boolean> {
  const changed = await db<ConnectionRow>('connections')
    .where({ id: connection.id, environment_id: connection.environmentId })
    .whereNull('deleted_at')
    .update({
      ...(tags !== undefined && { tags }),
      ...(endUser !== undefined && { end_user: endUser }),
      ...(webhookUrlOverride !== undefined && { webhook_url_override: webhookUrlOverride }),
      ...(metadata !== undefined && { metadata }),
      updated_at: db.fn.now(),
    });
  return changed === 1;
}

/** A set of connections of one integration, named by their IDs. */
export interface ConnectionSet {
  readonly environmentId: number;
  readonly providerConfigKey: string;
  readonly connectionIds: readonly string[];
}

interface LockedMetadata {
  readonly id: number;
  readonly connection_id: string;
  /** The metadata; null when its text has fewer than `largeFrom` bytes. */
  readonly large_metadata: JsonObject | null;
}

/**
 * Locks these connections until the transaction `db` ends, always in the same order, so that two callers cannot deadlock.
 *
 * @param largeFrom metadata is only read if its text has at least this many bytes
 */
export async function lockMetadata(db: Knex, set: ConnectionSet, largeFrom: number): Promise<LockedMetadata[]> {
  const { rows }: { rows: LockedMetadata[] } = await db.raw(
    `select connections.id, connections.connection_id,
            case when octet_length(connections.metadata::text) >= :largeFrom then connections.metadata end as large_metadata
     from connections join integrations on integrations.id = connections.integration_id
     where connections.environment_id = :environmentId and connections.deleted_at is null
       and integrations.environment_id = :environmentId and integrations.deleted_at is null
       and integrations.unique_key = :providerConfigKey and connections.connection_id = any(:connectionIds)
     order by connections.id
     for update of connections`,
    {
      largeFrom,
      environmentId: set.environmentId,
      providerConfigKey: set.providerConfigKey,
      connectionIds: [...set.connectionIds],
    },
  );
  return rows;
}

/** Merges metadata into the existing metadata of connections, at the top level only, or replaces it. */
export async function writeMetadata(
  db: Knex,
  { environmentId, ids }: { readonly environmentId: number; readonly ids: readonly number[] },
  { metadata, merge }: { readonly metadata: JsonObject; readonly merge: boolean },
): Promise<void> {
  const text = JSON.stringify(metadata);
  await db('connections')
    .where({ environment_id: environmentId })
    .whereNull('deleted_at')
    .whereRaw('id = any(?)', [[...ids]])
    .update({ metadata: db.raw(merge ? 'metadata || ?::jsonb' : '?::jsonb', [text]), updated_at: db.fn.now() });
}
