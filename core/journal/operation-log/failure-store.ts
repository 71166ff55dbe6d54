import type { Knex } from 'knex';
import type { OperationLogRow } from './operation-log-row.ts';

/**
 * Maximum number of failures of an environment that are counted by integration, so that the query stays fast; earlier ones are
 * left out.
 */
const MAX_COUNTED = 10_000;
/** A failure is recorded at its end; an operation that began earlier than this before it has long been given up. */
const LONGEST_CALL_MS = 600_000;

/** Counts the failed operations since a time by integration key, at most the latest 10,000 of the environment. */
export async function failuresByIntegration(
  db: Knex,
  environmentId: number,
  since: Date,
): Promise<(uniqueKey: string) => number> {
  const latest = db<OperationLogRow>('operation_log')
    .where({ environment_id: environmentId, status: 'failure' })
    // Repeats the condition of the partial index, so that the index is used.
    .where('status', '<>', 'success')
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(MAX_COUNTED)
    .select('provider_config_key');
  const rows: { provider_config_key: string | null; count: number }[] = await db
    .from(latest.as('latest'))
    .whereNotNull('provider_config_key')
    .groupBy('provider_config_key')
    .select('provider_config_key', db.raw('count(*)::int as count'));
  const counts = new Map(rows.map(({ provider_config_key: key, count }) => [key, count]));
  return (uniqueKey) => counts.get(uniqueKey) ?? 0;
}

/** Returns the ID of the latest failed refresh of a connection since a time; null when the log has none. */
export async function latestFailedRefresh(
  db: Knex,
  { environmentId, providerConfigKey, connectionId }: FailedConnection,
  since: Date,
): Promise<string | null> {
  const row = await db<OperationLogRow>('operation_log')
    .where({ environment_id: environmentId, connection_id: connectionId, provider_config_key: providerConfigKey })
    .where({ type: 'refresh', operation: 'refresh', status: 'failure' })
    .where('ended_at', '>=', since)
    .where('created_at', '>=', new Date(since.getTime() - LONGEST_CALL_MS))
    .orderBy('created_at', 'desc')
    .first('id');
  return row?.id ?? null;
}

interface FailedConnection {
  readonly environmentId: number;
  readonly providerConfigKey: string;
  readonly connectionId: string;
}

/** Failures of one kind: of one type and operation, at one integration, with one outcome. */
export interface FailureGroup {
  readonly type: string;
  readonly operation: string;
  readonly provider_config_key: string | null;
  readonly http_status: number | null;
  readonly error_code: string | null;
  readonly count: number;
  /** ID, summary and time of the latest of them. */
  readonly latest: { readonly id: string; readonly summary: string; readonly at: string };
}

/**
 * Groups the failed operations since a time, at most the latest 10,000 of the environment.
 *
 * @param first the kinds that come first: the most frequent ones, or those that happened last
 */
export async function failureGroups(
  db: Knex,
  environmentId: number,
  { since, first, limit }: { readonly since: Date; readonly first: 'frequent' | 'latest'; readonly limit: number },
): Promise<readonly FailureGroup[]> {
  const order = first === 'frequent' ? 'count(*) desc, max(created_at) desc' : 'max(created_at) desc';
  const bindings = { environmentId, since, limit, counted: MAX_COUNTED };
  const { rows } = await db.raw<{ rows: FailureGroup[] }>(`${FAILURE_GROUPS} order by ${order} limit :limit`, bindings);
  return rows;
}

const FAILURE_GROUPS = `
  select type, operation, provider_config_key, http_status, error_code, count(*)::int as count,
    (array_agg(json_build_object('id', id, 'summary', summary, 'at', created_at) order by created_at desc))[1] as latest
  from (
    select id, type, operation, provider_config_key, http_status, error_code, summary, created_at from operation_log
    where environment_id = :environmentId and status <> 'success' and status in ('failure', 'retrying') and created_at >= :since
    order by created_at desc limit :counted
  ) latest
  group by type, operation, provider_config_key, http_status, error_code`;
