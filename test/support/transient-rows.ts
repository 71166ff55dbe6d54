import type { Knex } from 'knex';
import type { TransientRow } from './checker.ts';

/**
 * Returns every row that is in an intermediate state, with the time by which it must have left that state, for the invariant C7
 * of `checker.ts`.
 */
export async function transientRows(db: Knex): Promise<TransientRow[]> {
  const { rows } = await db.raw<{ rows: TransientRow[] }>(`
    select 'connection ' || connection_id || ', refreshing' as what, lease_until as deadline
      from refreshes where owner is not null
    union all
    select 'queued script ' || id, claimed_until from script_queue where claimed_until is not null`);
  return rows;
}
