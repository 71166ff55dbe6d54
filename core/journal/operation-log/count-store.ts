import type { Knex } from 'knex';
import type { OperationCountRow } from './operation-log-row.ts';

/** How many operations of one kind that began in one hour ended in one way. */
export type OperationCount = OperationCountRow;

const KEY = 'environment_id, hour, kind, status';

/** Of a statement whose `written` are rows of the operation log. In the order of the key: two writers never wait for each other. */
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

/** Adds what has no row in the log of its own statement. No two of them may have the same key. */
export async function addCounts(db: Knex, counts: readonly OperationCount[]): Promise<void> {
  await db.raw(ADD, [JSON.stringify(counts)]);
}

export async function countsSince(db: Knex, environmentId: number, since: Date): Promise<OperationCount[]> {
  return db<OperationCountRow>('operation_counts')
    .where({ environment_id: environmentId })
    .where('hour', '>=', since)
    .select('environment_id', 'hour', 'kind', 'status', 'count');
}

/** @returns how many were removed, at most `limit` */
export async function deleteCountsOf(db: Knex, environmentId: number, limit: number): Promise<number> {
  const key = ['environment_id', 'hour', 'kind', 'status'];
  const some = db('operation_counts').where({ environment_id: environmentId }).limit(limit).select(key);
  return db('operation_counts').where({ environment_id: environmentId }).whereIn(key, some).delete();
}
