import type { Knex } from 'knex';
import { type ListedOperation, SHOWN } from './activity-store.ts';
import { matching, type OperationFilter } from './list-store.ts';
import type { OperationLogRow } from './operation-log-row.ts';

export type WrittenOperation = ListedOperation & Pick<OperationLogRow, 'written_by'>;

interface WrittenSince {
  /** The first transaction whose rows are read; those of all later ones are read, too. */
  readonly from: number;
  /** IDs of operations that the caller already has. */
  readonly seen: readonly string[];
  readonly limit: number;
}

/** Returns the ID of the oldest transaction that is under way: all rows of earlier transactions are already visible. */
export async function oldestTransaction(db: Knex): Promise<number> {
  const { rows }: { rows: [{ id: number }] } = await db.raw('select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as id');
  return rows[0].id;
}

/**
 * Returns the operations, except those in `seen`, that the transaction `from` and all later ones have written for an environment,
 * in the order of the transactions.
 */
export function writtenOperations(
  db: Knex,
  environmentId: number,
  { from, seen, limit, ...filter }: OperationFilter & WrittenSince,
): Promise<WrittenOperation[]> {
  const query = matching(db<OperationLogRow>('operation_log').where({ environment_id: environmentId }), filter);
  return query
    .where('written_by', '>=', from)
    .whereRaw('id <> all(?::uuid[])', [[...seen]])
    .orderBy(['written_by', 'created_at', 'id'])
    .limit(limit)
    .select(...SHOWN, 'written_by');
}
