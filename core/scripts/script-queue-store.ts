import type { Knex } from 'knex';
import type { QueuedScriptRow } from './script-rows.ts';

/** Duration of a claim, which is prolonged while the script runs. */
const LEASE_SECONDS = 30;
export const RENEW_MS = 10_000;

const LEASE = `now() + ${LEASE_SECONDS} * interval '1 second'`;
// A lease that ends later than twice its duration from now does not count: it was written before the clock was set back. One that
// ends a little later than possible was written by a transaction that began after this one: the row is read again once its lock
// is released.
const UNCLAIMED = `(claimed_until > now() and claimed_until <= now() + ${2 * LEASE_SECONDS} * interval '1 second') is not true`;

export type NewQueuedScript = Pick<
  QueuedScriptRow,
  'environment_id' | 'connection_id' | 'webhook' | 'payload_id' | 'trace_context'
>;

export async function insertQueuedScripts(trx: Knex.Transaction, rows: readonly NewQueuedScript[]): Promise<void> {
  if (rows.length > 0) await trx<QueuedScriptRow>('script_queue').insert([...rows]);
}

interface ClaimOptions {
  /** Row IDs of environments that already use their share of this process's workers. */
  readonly fullEnvironments: readonly number[];
  /** Row IDs of runs in this process, whose lease may have expired. */
  readonly running: readonly number[];
}

/** Claims the run that has been due longest in any environment that is not full. Each environment costs one index lookup. */
export async function claimScript(db: Knex, { fullEnvironments, running }: ClaimOptions): Promise<QueuedScriptRow | undefined> {
  const { rows }: { rows: QueuedScriptRow[] } = await db.raw(
    `update script_queue set attempts = attempts + 1, claimed_until = ${LEASE}
     where id = (
       select due.id from environments e cross join lateral (
         select id, due_at from script_queue
         where environment_id = e.id and due_at <= now() and ${UNCLAIMED} and id <> all(:running::bigint[])
         order by due_at, id limit 1 for update skip locked
       ) due
       where e.id <> all(:fullEnvironments::bigint[])
       order by due.due_at, due.id limit 1
     )
     returning *`,
    { fullEnvironments: [...fullEnvironments], running: [...running] },
  );
  return rows[0];
}

/** @returns milliseconds until the next run falls due; undefined when no run falls due in the future */
export async function nextScriptDueMs(db: Knex): Promise<number | undefined> {
  const row = await db<QueuedScriptRow>('script_queue')
    .whereRaw('due_at > now()')
    .orderBy('due_at')
    .first<{ ms: number }>(db.raw('extract(epoch from due_at - now())::float * 1000 as ms'));
  return row?.ms;
}

export async function renewClaims(db: Knex, ids: readonly number[]): Promise<void> {
  await db<QueuedScriptRow>('script_queue')
    .whereIn('id', [...ids])
    .update({ claimed_until: db.raw(LEASE) });
}

type Claimed = Pick<QueuedScriptRow, 'id' | 'attempts'>;

/** Removes a run from the queue; does nothing if it has been claimed again. */
export async function deleteClaimed(db: Knex, { id, attempts }: Claimed): Promise<void> {
  await db<QueuedScriptRow>('script_queue').where({ id, attempts }).delete();
}

export interface NextRun extends Pick<QueuedScriptRow, 'failures'> {
  readonly waitMs: number;
}

/** Ends the claim and makes the run due again. */
export async function requeueClaimed(db: Knex, { id, attempts }: Claimed, { failures, waitMs }: NextRun): Promise<void> {
  const due_at = db.raw(`now() + ? * interval '1 millisecond'`, [waitMs]);
  await db<QueuedScriptRow>('script_queue').where({ id, attempts }).update({ failures, due_at, claimed_until: null });
}

/** Removes queued scripts of an environment that is being erased. @returns how many were removed, at most `limit` */
export async function deleteQueuedScriptsOf(db: Knex, environmentId: number, limit: number): Promise<number> {
  const some = db<QueuedScriptRow>('script_queue').where({ environment_id: environmentId }).limit(limit).select('id');
  return db<QueuedScriptRow>('script_queue').whereIn('id', some).delete();
}
