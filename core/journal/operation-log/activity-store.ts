import type { Knex } from 'knex';
import { timeOfId } from '../../kit/random-id.ts';
import { COUNT_WRITTEN } from './count-store.ts';
import type { OperationLogRow } from './operation-log-row.ts';
import type { NewOperation } from './operation-row.ts';

/** The columns that are shown: all but `terms` and `written_by`, which only serve to find rows. */
export const SHOWN = [
  'id',
  'type',
  'operation',
  'status',
  'created_at',
  'ended_at',
  'connection_id',
  'provider_config_key',
  'actor_kind',
  'actor_id',
  'actor_name',
  'request_id',
  'summary',
  'http_status',
  'error_code',
] as const;

export type ListedOperation = Pick<OperationLogRow, (typeof SHOWN)[number]>;
export type ShownOperation = ListedOperation & Pick<OperationLogRow, 'messages'>;

const WRITTEN = [...SHOWN, 'environment_id', 'messages', 'terms'] as const satisfies readonly (keyof NewOperation)[];

const insertBy = (counting: string) => `
  with given as materialized (select * from json_populate_recordset(null::operation_log, ?::json)),
  written as (
    insert into operation_log (${WRITTEN.join()})
    select ${WRITTEN.join()} from given where environment_id in (select id from environments)
    on conflict do nothing
    returning environment_id, created_at, type, status)${counting}
  select count(*) from given where environment_id not in (select id from environments)`;
const INSERT = insertBy('');
const INSERT_COUNTED = insertBy(`, counted as (${COUNT_WRITTEN})`);

/**
 * Writes operations in one statement, and adds them to the counts unless the caller does. Rows that exist already are skipped,
 * since an earlier attempt with an unknown outcome has committed them.
 *
 * @returns how many rows were not written because their environments have been erased
 */
export async function insertOperations(db: Knex, rows: readonly NewOperation[], { isCounted = true } = {}): Promise<number> {
  if (rows.length === 0) return 0;
  // All rows are one parameter: thousands of parameters would cost the database and this process more than the rows do.
  const { rows: counted }: { rows: [{ count: number }] } = await db.raw(isCounted ? INSERT_COUNTED : INSERT, [
    JSON.stringify(rows),
  ]);
  return counted[0].count;
}

/** Reads an operation with its messages. Its ID contains the time, and so tells in which partition it is. */
export async function operationById(db: Knex, environmentId: number, id: string): Promise<ShownOperation | undefined> {
  const createdAt = timeOfId(id);
  if (createdAt === undefined) return undefined;
  return db<OperationLogRow>('operation_log')
    .where({ environment_id: environmentId, created_at: createdAt, id })
    .first(...SHOWN, 'messages');
}

/** Deletes operations of an environment. @returns how many were removed, at most `limit` */
export async function deleteOperationsOf(db: Knex, environmentId: number, limit: number): Promise<number> {
  const key = ['environment_id', 'created_at', 'id'];
  const some = db('operation_log').where({ environment_id: environmentId }).limit(limit).select(key);
  return db('operation_log').where({ environment_id: environmentId }).whereIn(key, some).delete();
}
