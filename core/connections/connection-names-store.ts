import type { Knex } from 'knex';

interface Named {
  readonly connection_id: string;
  readonly provider_config_key: string;
  readonly name: string;
}

/** Of the end user: by tag, else by `end_user`; the display name, else the e-mail address. */
const NAME = `coalesce(
  nullif(connections.tags ->> 'end_user_display_name', ''), nullif(connections.end_user ->> 'display_name', ''),
  nullif(connections.tags ->> 'end_user_email', ''), nullif(connections.end_user ->> 'email', ''))`;

/** What people call the connections of an environment with these IDs, of whichever integration; not those that are gone or have no name. */
export async function connectionNames(db: Knex, environmentId: number, ids: readonly string[]): Promise<Named[]> {
  if (ids.length === 0) return [];
  return db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .where({ 'connections.environment_id': environmentId, 'integrations.environment_id': environmentId })
    .whereNull('connections.deleted_at')
    .whereNull('integrations.deleted_at')
    .whereRaw('connections.connection_id = any(?)', [[...ids]])
    .whereRaw(`${NAME} is not null`)
    .select<Named[]>('connections.connection_id', 'integrations.unique_key as provider_config_key', db.raw(`${NAME} as name`));
}
