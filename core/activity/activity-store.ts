import type { Knex } from 'knex';
import type { OperationRow } from '../db/rows.ts';

/** Writes finished operations; one statement however many there are. */
export async function insertOperations(db: Knex, rows: readonly OperationRow[]): Promise<void> {
  if (rows.length === 0) return;
  // One parameter for all: parsing thousands of them costs the database, and the process, more than the rows do.
  // Existing rows were committed by an attempt whose outcome is unknown.
  await db.raw(
    `insert into operations select * from json_populate_recordset(null::operations, ?::json) on conflict (id) do nothing`,
    [JSON.stringify(rows)],
  );
}

export async function operationById(db: Knex, environmentId: number, id: string): Promise<OperationRow | undefined> {
  return db<OperationRow>('operations').where({ environment_id: environmentId, id }).first();
}

/** @returns how many were removed, at most `limit` */
export async function deleteOperationsOf(db: Knex, environmentId: number, limit: number): Promise<number> {
  const some = db('operations').where({ environment_id: environmentId }).limit(limit).select('id');
  return db('operations').whereIn('id', some).delete();
}
