import type { Knex } from 'knex';
import { SESSION_STANDS } from '../db/instances.ts';
import { LONGEST_LEASE_SECONDS } from './holder.ts';
import type { LeaseRef } from './lease-store.ts';

const LIMIT = 200;

/**
 * Returns leases that seem abandoned: the database session of their owner is gone, or they have expired and nothing shows that
 * this session still exists. They are candidates only: `holderState`, which looks more closely, may find that they are held.
 */
export async function abandonedLeases(db: Knex, { graceSeconds }: { readonly graceSeconds: number }): Promise<LeaseRef[]> {
  const { rows }: { rows: { id: number; environment_id: number }[] } = await db.raw(
    `select connection_id as id, environment_id from refreshes
     where owner is not null
       and case (
         select exists (${SESSION_STANDS}) from instances
         where instances.id = split_part(owner, '/', 1) and server_start = pg_postmaster_start_time()
       )
       when false then true
       when true then leased_at < now() - :longest * interval '1 second'
       else lease_until < now() - :graceSeconds * interval '1 second'
       end
     order by lease_until limit :limit`,
    { graceSeconds, longest: LONGEST_LEASE_SECONDS, limit: LIMIT },
  );
  return rows.map(({ id, environment_id }) => ({ id, environmentId: environment_id }));
}

/**
 * Makes every lease expire, so that nobody waits for the processes that held them before. Only for a process that is certainly
 * the only one on its database.
 */
export async function expireLeases(db: Knex, { graceSeconds, callMs }: { graceSeconds: number; callMs: number }): Promise<void> {
  const longAgo = db.raw(`now() - ? * interval '1 second'`, [LONGEST_LEASE_SECONDS + graceSeconds + callMs / 1000]);
  await db('refreshes').whereNotNull('owner').update({ leased_at: longAgo, lease_until: longAgo });
}
