import type { Knex } from 'knex';
import { SESSION_STANDS } from '../db/instances.ts';
import type { LeaseRef } from './lease-store.ts';

const LIMIT = 200;

/** Leases that have expired, or whose owner's session is gone: candidates, of which a closer look may say otherwise. */
export async function abandonedLeases(db: Knex, { graceSeconds }: { readonly graceSeconds: number }): Promise<LeaseRef[]> {
  const { rows }: { rows: { id: number; environment_id: number }[] } = await db.raw(
    `select connection_id as id, environment_id from refreshes
     where owner is not null
       and (lease_until < now() - ? * interval '1 second' or exists (
         select from instances where instances.id = split_part(owner, '/', 1)
           and server_start = pg_postmaster_start_time() and not exists (${SESSION_STANDS})))
     order by lease_until limit ?`,
    [graceSeconds, LIMIT],
  );
  return rows.map(({ id, environment_id }) => ({ id, environmentId: environment_id }));
}

/** Makes every lease expire, for a process that is certainly the only one on its database. */
export async function expireLeases(db: Knex, { graceSeconds, callMs }: { graceSeconds: number; callMs: number }): Promise<void> {
  const longAgo = db.raw(`now() - ? * interval '1 second'`, [graceSeconds + callMs / 1000]);
  await db('refreshes').whereNotNull('owner').update({ lease_until: longAgo, unresolved_until: null });
}
