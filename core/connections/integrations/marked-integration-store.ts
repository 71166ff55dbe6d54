import type { Knex } from 'knex';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { Integration } from './integration.ts';
import type { IntegrationRow } from './integration-row.ts';
import { fromRow } from './integration-store.ts';

/**
 * Marks an integration deleted: from now on nobody can find it, and its key can be used again.
 *
 * @returns its row ID; undefined when there is no such integration
 */
export async function markIntegrationDeleted(
  db: Knex,
  { environmentId, uniqueKey }: Pick<Integration, 'environmentId' | 'uniqueKey'>,
): Promise<number | undefined> {
  const [row] = await db<IntegrationRow>('integrations')
    .where({ environment_id: environmentId, unique_key: uniqueKey })
    .whereNull('deleted_at')
    .update({ deleted_at: db.fn.now() })
    .returning('id');
  return row?.id;
}

export async function markIntegrationsOf(db: Knex, environmentId: number): Promise<void> {
  await db<IntegrationRow>('integrations')
    .where({ environment_id: environmentId })
    .whereNull('deleted_at')
    .update({ deleted_at: db.fn.now() });
}

/** An integration that waits to be erased. */
export interface MarkedIntegration extends Pick<Integration, 'id' | 'environmentId' | 'provider'> {
  /** Decrypts the row. @throws KeyRingError when the row cannot be decrypted */
  open(): Integration;
}

/**
 * Reads the integrations that are marked deleted.
 *
 * @param id reads only this one; absent: all marked integrations of the environment
 */
export async function markedIntegrations(
  { db, keys }: StoreDeps,
  { environmentId, id }: { readonly environmentId: number; readonly id?: number | undefined },
): Promise<MarkedIntegration[]> {
  const rows = await db<IntegrationRow>('integrations')
    .where({ environment_id: environmentId, ...(id !== undefined && { id }) })
    .whereNotNull('deleted_at')
    .orderBy('id')
    .select('*');
  return rows.map((row) => ({
    id: row.id,
    environmentId: row.environment_id,
    provider: row.provider,
    open: () => fromRow(keys, row),
  }));
}

export async function eraseIntegration(
  db: Knex,
  { id, environmentId }: Pick<Integration, 'id' | 'environmentId'>,
): Promise<void> {
  await db<IntegrationRow>('integrations').where({ id, environment_id: environmentId }).whereNotNull('deleted_at').delete();
}

/** Returns integrations that were marked deleted before a time, those deleted longest ago first. */
export async function integrationsDeletedBefore(
  db: Knex,
  before: Date,
  limit: number,
): Promise<Pick<Integration, 'id' | 'environmentId'>[]> {
  const rows = await db<IntegrationRow>('integrations')
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(limit)
    .select('id', 'environment_id');
  return rows.map((row) => ({ id: row.id, environmentId: row.environment_id }));
}
