import type { Knex } from 'knex';

/** Maximum number of calls of an environment that are counted by integration, so that the query stays fast. */
const MAX_COUNTED = 10_000;

/** Proxied calls of one integration. */
interface BusyIntegration {
  readonly provider_config_key: string;
  readonly total: number;
  readonly failed: number;
}

/** Returns the integrations with most of the proxied calls that the log has since a time, of which the latest 10,000 are counted. */
export async function busiestIntegrations(
  db: Knex,
  environmentId: number,
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<readonly BusyIntegration[]> {
  const { rows } = await db.raw<{ rows: BusyIntegration[] }>(BUSIEST, { environmentId, since, limit, counted: MAX_COUNTED });
  return rows;
}

const BUSIEST = `
  select provider_config_key, count(*)::int as total,
    (count(*) filter (where status in ('failure', 'retrying')))::int as failed
  from (
    select provider_config_key, status from operation_log
    where environment_id = :environmentId and type = 'proxy' and created_at >= :since
    order by created_at desc limit :counted
  ) latest
  where provider_config_key is not null
  group by provider_config_key
  order by count(*) desc, provider_config_key limit :limit`;
