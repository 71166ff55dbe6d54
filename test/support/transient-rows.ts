import type { Knex } from 'knex';
import type { TransientRow } from './checker.ts';

/** Every row that is in an intermediate state, with the time by which it must have left it: what C7 looks at. */
export async function transientRows(db: Knex): Promise<TransientRow[]> {
  const { rows } = await db.raw<{ rows: TransientRow[] }>(`
    select 'connection ' || id || ', refreshing' as what, refresh_until as deadline
      from connections where refresh_owner is not null and deleted_at is null
    union all
    select 'connection ' || id || ', refresh unresolved', refresh_unresolved_until
      from connections where refresh_unresolved_until is not null and deleted_at is null
    union all
    select 'queued script ' || id, claimed_until from script_queue where claimed_until is not null
    union all
    select 'job ' || name || ' ' || id, started_on + expire_seconds * interval '1 second'
      from pgboss.job where state = 'active'`);
  return rows;
}
