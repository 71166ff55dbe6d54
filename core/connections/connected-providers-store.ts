import type { Knex } from 'knex';

/** Of each integration; a bound for those whose connections have all failed. */
const NEWEST = 1000;

/**
 * When credentials of a healthy connection were last issued, renewed or verified, by provider. Looks for one among the newest
 * connections of each integration (index `connections_integration`), so a provider may be missing although an older one works.
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
