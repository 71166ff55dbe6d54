import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { Notices } from '../db/notices.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import type { Connection } from './connection.ts';
import { type ConnectionSet, lockMetadata, writeMetadata } from './connection-change-store.ts';
import { lockConnection } from './connection-store.ts';
import { announceChange, announceChanges, missing, unknownConnection } from './connections.ts';

/** Maximum size of a connection's metadata as JSON, and also of its configuration, in bytes. */
export const MAX_OBJECT_BYTES = 64 * 1024;

/**
 * Replaces the metadata of one or many connections, or merges into it at the top level. Changes all of them or none.
 *
 * @throws ServiceError `unknown_provider_config` or `unknown_connection` when one of them does not exist, `invalid_body` when
 *   merging makes the metadata of one too large
 */
export async function setMetadata(
  deps: { readonly db: Knex; readonly notices: Pick<Notices, 'publish'> },
  set: ConnectionSet,
  { metadata, merge }: { readonly metadata: JsonObject; readonly merge: boolean },
): Promise<void> {
  const { environmentId, providerConfigKey } = set;
  await withTransaction(deps.db, async (trx) => {
    const found = await lockMetadata(trx, set, MAX_OBJECT_BYTES - jsonBytes(metadata));
    const ids = new Set(found.map((row) => row.connection_id));
    const unknown = set.connectionIds.find((connectionId) => !ids.has(connectionId));
    if (unknown !== undefined) throw await missing(trx, { environmentId, providerConfigKey, connectionId: unknown });
    const tooLarge = found.find((row) => merge && jsonBytes({ ...row.large_metadata, ...metadata }) > MAX_OBJECT_BYTES);
    if (tooLarge !== undefined) throw metadataTooLarge(tooLarge.connection_id);

    await writeMetadata(trx, { environmentId, ids: found.map(({ id }) => id) }, { metadata, merge });
    await announceChanges(
      deps,
      trx,
      [...ids].map((connectionId) => ({ environmentId, providerConfigKey, connectionId })),
    );
  });
}

/**
 * Replaces the metadata of one loaded connection, or merges into it, but not into that of a later connection with the same ID.
 *
 * @returns the new metadata
 * @throws ServiceError `unknown_connection` when the loaded connection was deleted since, `invalid_body` when the metadata
 *   becomes too large
 */
export async function setMetadataOf(
  deps: StoreDeps & { readonly notices: Pick<Notices, 'publish'> },
  connection: Connection,
  { metadata, merge }: { readonly metadata: JsonObject; readonly merge: boolean },
): Promise<JsonObject> {
  return withTransaction(deps.db, async (trx) => {
    const current = await lockConnection({ ...deps, db: trx }, connection);
    if (current?.id !== connection.id) throw unknownConnection(connection);
    const after = merge ? { ...current.metadata, ...metadata } : metadata;
    if (jsonBytes(after) > MAX_OBJECT_BYTES) throw metadataTooLarge(connection.connectionId);
    await writeMetadata(trx, { environmentId: connection.environmentId, ids: [connection.id] }, { metadata, merge });
    await announceChange(deps, trx, current);
    return after;
  });
}

export function jsonBytes(value: JsonObject): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function metadataTooLarge(connectionId: string): ServiceError {
  const message = `the metadata of "${connectionId}" would have more than ${MAX_OBJECT_BYTES / 1024} KB`;
  return new ServiceError('invalid_body', message, { details: [{ code: 'too_big', message, path: ['metadata'] }] });
}
