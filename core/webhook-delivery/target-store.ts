import type { Knex } from 'knex';
import type { WebhookMessageRow, WebhookTargetRow } from '../db/rows.ts';

export type Slot = WebhookTargetRow['slot'];

export interface TargetAddress {
  readonly environmentId: number;
  readonly slot: Slot;
  /** Of an override only. */
  readonly url: string | null;
  /** The same for the same target. */
  readonly key: string;
}

/** The rows of these targets, made where there is none yet. @returns their IDs by `key` */
export async function ensureTargets(
  trx: Knex.Transaction,
  addresses: readonly TargetAddress[],
): Promise<ReadonlyMap<string, number>> {
  // In one order, as two transactions might else wait for each other.
  const distinct = [...new Map(addresses.map((address) => [address.key, address])).values()].sort((a, b) =>
    a.key < b.key ? -1 : 1,
  );
  const found = new Map<string, number>();
  for (const address of distinct) found.set(address.key, await ensureTarget(trx, address));
  return found;
}

async function ensureTarget(trx: Knex.Transaction, address: TargetAddress): Promise<number> {
  const known = await findTarget(trx, address);
  if (known !== undefined) return known;
  await trx('webhook_targets')
    .insert({ environment_id: address.environmentId, slot: address.slot, url: address.url })
    .onConflict()
    .ignore();
  const made = await findTarget(trx, address);
  if (made === undefined) throw new Error('a target was not inserted');
  return made;
}

async function findTarget(trx: Knex.Transaction, address: TargetAddress): Promise<number | undefined> {
  const row = await trx<WebhookTargetRow>('webhook_targets')
    .where({ environment_id: address.environmentId, slot: address.slot, url: address.url })
    .first('id');
  return row?.id;
}

/**
 * Ends the pause and the waiting of targets; their paused messages are due at once.
 *
 * @param which one of the environment's own targets, or the IDs of targets
 * @returns the IDs of those to wake
 */
export async function resumeTargets(db: Knex, environmentId: number, which: Slot | readonly number[]): Promise<number[]> {
  const meant = db<WebhookTargetRow>('webhook_targets').where({ environment_id: environmentId });
  if (typeof which === 'string') meant.where({ slot: which });
  else meant.whereIn('id', which);
  const resumed: { id: number }[] = await meant
    .update({ paused_at: null, pause_cause: null, open_until: null, failures: 0 })
    .returning('id');
  const ids = resumed.map(({ id }) => id);
  await db<WebhookMessageRow>('webhook_messages')
    .where({ environment_id: environmentId, status: 'paused' })
    .whereRaw('target_id = any(?::bigint[])', [ids])
    .update({ status: 'pending', next_attempt_at: db.fn.now() });
  return ids;
}

/** A target whose lock the transaction holds. */
export interface LockedTarget {
  readonly id: number;
  readonly environmentId: number;
  readonly slot: Slot;
  /** Where it is now; null: nowhere any more. */
  readonly url: string | null;
  readonly failures: number;
  readonly paused: boolean;
  /** Nothing is sent for so long; 0: for no time. */
  readonly holdSeconds: number;
}

/** No target is held longer: what says otherwise was written before the clock was set back. */
export const MAX_HOLD_SECONDS = 3_600;

/** Not against `for key share`, which inserting a message takes. @returns undefined when the environment is about to go */
export async function lockTarget(trx: Knex.Transaction, id: number): Promise<LockedTarget | undefined> {
  // A statement of its own: one that waits for the lock would then see the environment as it was before the wait.
  await trx('webhook_targets').where({ id }).forNoKeyUpdate().select('id');
  const { rows }: { rows: LockedTarget[] } = await trx.raw(
    `select t.id, t.environment_id as "environmentId", t.slot, t.failures, t.paused_at is not null as paused,
       case t.slot when 'primary' then e.webhook_url when 'secondary' then e.webhook_url_secondary else t.url end as url,
       case when t.open_until between now() and now() + :longest * interval '1 second'
         then extract(epoch from t.open_until - now())::float else 0 end as "holdSeconds"
     from webhook_targets t join environments e on e.id = t.environment_id
     where t.id = :id and e.deleted_at is null`,
    { id, longest: MAX_HOLD_SECONDS },
  );
  return rows[0];
}

export async function setFailures(trx: Knex.Transaction, target: LockedTarget): Promise<void> {
  const { id, failures, holdSeconds } = target;
  const openUntil = holdSeconds === 0 ? null : trx.raw(`now() + ? * interval '1 second'`, [holdSeconds]);
  await trx('webhook_targets').where({ id }).update({ failures, open_until: openUntil });
}

export async function pauseTarget(trx: Knex.Transaction, id: number, cause: string): Promise<void> {
  await trx('webhook_targets').where({ id }).update({ paused_at: trx.fn.now(), pause_cause: cause });
}

/** Those with messages that are due and that nothing keeps from being sent. */
export async function dueTargets(db: Knex, limit: number): Promise<number[]> {
  return db('webhook_targets as t')
    .whereNull('t.paused_at')
    .whereRaw("(t.open_until between now() and now() + ? * interval '1 second') is not true", [MAX_HOLD_SECONDS])
    .whereExists(
      db('webhook_messages as m')
        .whereRaw('m.target_id = t.id')
        .where('m.status', 'pending')
        .whereRaw('m.next_attempt_at <= now()')
        .select(db.raw('1')),
    )
    .limit(limit)
    .pluck('t.id');
}
