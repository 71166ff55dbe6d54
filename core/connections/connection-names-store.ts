import type { Knex } from 'knex';
import type { ConnectionListRow } from './connection-row.ts';

type NamedConnection = Pick<ConnectionListRow, 'connection_id' | 'provider_config_key' | 'tags' | 'end_user'>;

/** Reads the display names of all connections of an environment that have one of these IDs, whatever their integration. */
export async function connectionNames(db: Knex, environmentId: number, ids: readonly string[]): Promise<NamedConnection[]> {
  if (ids.length === 0) return [];
  return db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .where({ 'connections.environment_id': environmentId, 'integrations.environment_id': environmentId })
    .whereNull('connections.deleted_at')
    .whereNull('integrations.deleted_at')
    .whereRaw('connections.connection_id = any(?)', [[...ids]])
    .select<NamedConnection[]>(
      'connections.connection_id',
      'connections.tags',
      'connections.end_user',
      'integrations.unique_key as provider_config_key',
    );
}
