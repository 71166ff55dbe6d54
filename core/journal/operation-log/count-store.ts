import type { Knex } from 'knex';
import type { OperationCountRow } from './operation-log-row.ts';

/** The number of operations of one kind that began in one hour and ended with one status. */
export type OperationCount = OperationCountRow;

const KEY = 'environment_id, hour, kind, status';

/**
 * SQL to be put into a statement that writes rows to the operation log and calls them `written`: adds these rows to the counts,
 * in the order of the counts' key, so that two writers cannot deadlock.
 */
export const COUNT_WRITTEN = `
  insert into operation_counts (${KEY}, count)
  select environment_id, date_trunc('hour', created_at, 'UTC') as hour, type, status, count(*)
  from written group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (${KEY}) do update set count = operation_counts.count + excluded.count`;

const ADD = `
  insert into operation_counts (${KEY}, count)
  select ${KEY}, count from json_populate_recordset(null::operation_counts, ?::json)
  where environment_id in (select id from environments)
  order by ${KEY}
  on conflict (${KEY}) do update set count = operation_counts.count + excluded.count`;

/**
 * Adds counts of operations that are not written at all, or whose statement does not contain `COUNT_WRITTEN`. No two counts may
 * have the same environment, hour, kind and status.
 */
export async function addCounts(db: Knex, counts: readonly OperationCount[]): Promise<void> {
  await db.raw(ADD, [JSON.stringify(counts)]);
}

export async function countsSince(db: Knex, environmentId: number, since: Date): Promise<OperationCount[]> {
  return db<OperationCountRow>('operation_counts')
    .where({ environment_id: environmentId })
    .where('hour', '>=', since)
    .select('environment_id', 'hour', 'kind', 'status', 'count');
}

/** Deletes counts of an environment. @returns how many were removed, at most `limit` */
export async function deleteCountsOf(db: Knex, environmentId: number, limit: number): Promise<number> {
  const key = ['environment_id', 'hour', 'kind', 'status'];
  const some = db('operation_counts').where({ environment_id: environmentId }).limit(limit).select(key);
  return db('operation_counts').where({ environment_id: environmentId }).whereIn(key, some).delete();
}
