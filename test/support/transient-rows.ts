import type { Knex } from 'knex';
import type { TransientRow } from './checker.ts';

/** Every row that is in an intermediate state, with the time by which it must have left it: what C7 looks at. */
export async function transientRows(db: Knex): Promise<TransientRow[]> {
  const { rows } = await db.raw<{ rows: TransientRow[] }>(`
    select 'connection ' || connection_id || ', refreshing' as what, lease_until as deadline
      from refreshes where owner is not null
    union all
    select 'queued script ' || id, claimed_until from script_queue where claimed_until is not null`);
  return rows;
}
