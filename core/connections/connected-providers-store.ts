import type { Knex } from 'knex';

/** How many of its newest connections are searched per integration, so that the search stays short if all of them have failed. */
const NEWEST = 1000;

/**
 * Returns, by provider, when credentials of a healthy connection were last issued, refreshed or verified. Looks for one healthy
 * connection among the newest of each integration (index `connections_integration`), so a provider may be missing although an older
 * connection of it works.
 */
export async function connectedProviders(db: Knex, environmentId: number): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await db.raw<{ rows: { provider: string; at: Date }[] }>(
    `select integrations.provider, max(healthy.refreshed_at) as at
     from integrations cross join lateral (
       select refreshed_at from (
         select state, refreshed_at, deleted_at from connections
         where connections.integration_id = integrations.id and connections.environment_id = integrations.environment_id
         order by connections.id desc limit ?
       ) newest where state = 'healthy' and deleted_at is null limit 1
     ) healthy
     where integrations.environment_id = ? and integrations.deleted_at is null
     group by integrations.provider`,
    [NEWEST, environmentId],
  );
  return new Map(rows.map(({ provider, at }) => [provider, at]));
}
