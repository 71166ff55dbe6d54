import type { Knex } from 'knex';
import { LEASE, PARALLEL_PER_TARGET } from './message-store.ts';
import type { WebhookMessageRow, WebhookTargetRow } from './webhook-rows.ts';

type Slot = WebhookTargetRow['slot'];

/** The current URL of the target `t` of the environment `e`; null if it was removed. */
export const URL_OF_TARGET = `case t.slot when 'primary' then e.webhook_url when 'secondary' then e.webhook_url_secondary else t.url end`;

export interface TargetAddress {
  readonly environmentId: number;
  readonly slot: Slot;
  /** The URL of an override; null if the target is one of the environment's URLs. */
  readonly url: string | null;
  /** Equal for equal targets. */
  readonly key: string;
}

/** Finds or inserts the rows of these targets. @returns their IDs by `key` */
export async function ensureTargets(
  trx: Knex.Transaction,
  addresses: readonly TargetAddress[],
): Promise<ReadonlyMap<string, number>> {
  // Targets are inserted in a fixed order, otherwise two transactions might wait for each other.
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
  const inserted = await findTarget(trx, address);
  if (inserted === undefined) throw new Error('a target was not inserted');
  return inserted;
}

async function findTarget(trx: Knex.Transaction, address: TargetAddress): Promise<number | undefined> {
  const row = await trx<WebhookTargetRow>('webhook_targets')
    .where({ environment_id: address.environmentId, slot: address.slot, url: address.url })
    .first('id');
  return row?.id;
}

/**
 * Resumes targets that are paused, or held by the circuit breaker or `Retry-After`; their paused webhooks are due immediately.
 *
 * @param which one of the environment's own targets, or the IDs of targets
 * @returns the IDs of the targets
 */
export async function resumeTargets(db: Knex, environmentId: number, which: Slot | readonly number[]): Promise<number[]> {
  const targets = db<WebhookTargetRow>('webhook_targets').where({ environment_id: environmentId });
  if (typeof which === 'string') targets.where({ slot: which });
  else targets.whereIn('id', which);
  const resumed: { id: number }[] = await targets
    .update({ paused_at: null, pause_cause: null, open_until: null, failures: 0 })
    .returning('id');
  const ids = resumed.map(({ id }) => id);
  await db<WebhookMessageRow>('webhook_messages')
    .where({ environment_id: environmentId, status: 'paused' })
    .whereRaw('target_id = any(?::bigint[])', [ids])
    .update({ status: 'pending', next_attempt_at: db.fn.now() });
  return ids;
}

/** Whether webhooks go to the primary webhook URL of an environment. */
interface PrimaryState {
  readonly isPaused: boolean;
  /** Until when the circuit breaker or `Retry-After` holds webhooks back; null when they are sent. */
  readonly heldUntil: Date | null;
}

export async function primaryState(db: Knex, environmentId: number): Promise<PrimaryState> {
  const held = `case when open_until between now() and now() + ? * interval '1 second' then open_until end as "heldUntil"`;
  const row = await db('webhook_targets')
    .where({ environment_id: environmentId, slot: 'primary' })
    .first<PrimaryState | undefined>(db.raw(`paused_at is not null as "isPaused", ${held}`, [MAX_HOLD_SECONDS]));
  return row ?? { isPaused: false, heldUntil: null };
}

/** A target whose lock the transaction holds. */
export interface LockedTarget {
  readonly id: number;
  readonly environmentId: number;
  readonly slot: Slot;
  /** The current URL; null when it was removed. */
  readonly url: string | null;
  readonly failures: number;
  readonly paused: boolean;
  /** How long the circuit breaker or `Retry-After` still forbids sending to the target; 0 means that it is not held. */
  readonly holdSeconds: number;
}

/** The longest hold. A row that says more was written before the database's clock was set back, and holds nothing. */
export const MAX_HOLD_SECONDS = 3_600;

/**
 * Locks a target. The lock does not conflict with `for key share`, which inserting a webhook takes.
 *
 * @param skipLocked do not wait for another transaction that holds the lock
 * @returns undefined if the environment is being deleted, or the row is locked
 */
export async function lockTarget(
  trx: Knex.Transaction,
  id: number,
  { skipLocked = false } = {},
): Promise<LockedTarget | undefined> {
  // The environment is read by a separate statement: the one that waits for the lock would see it as it was before the wait.
  const lock = trx('webhook_targets').where({ id }).forNoKeyUpdate().first('id');
  const locked = await (skipLocked ? lock.skipLocked() : lock);
  if (locked === undefined) return undefined;
  const { rows }: { rows: LockedTarget[] } = await trx.raw(
    `select t.id, t.environment_id as "environmentId", t.slot, t.failures, t.paused_at is not null as paused,
       ${URL_OF_TARGET} as url,
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

/** Returns whether nothing is sent now to one of these targets: it is paused or held, or its URL was removed. */
export async function isAnyHeld(db: Knex, ids: readonly number[]): Promise<boolean> {
  const { rows } = await db.raw(
    `select 1 from webhook_targets t join environments e on e.id = t.environment_id
     where t.id = any(:ids::bigint[]) and (t.paused_at is not null or ${URL_OF_TARGET} is null
       or t.open_until between now() and now() + :longest * interval '1 second') limit 1`,
    { ids: [...ids], longest: MAX_HOLD_SECONDS },
  );
  return rows.length > 0;
}

export async function pauseTarget(trx: Knex.Transaction, id: number, cause: string): Promise<void> {
  await trx('webhook_targets').where({ id }).update({ paused_at: trx.fn.now(), pause_cause: cause });
}

/**
 * Returns the unpaused targets with pending webhooks, with the time until the first webhook may be sent. Of each target's
 * webhooks, one more is read than may be in flight, so that at least one of them is not in flight.
 */
export async function targetsWithPending(
  db: Knex,
  targetId?: number,
): Promise<{ readonly id: number; readonly waitMs: number }[]> {
  const { rows } = await db.raw(
    `select t.id, extract(epoch from greatest(min(m.at),
       case when t.open_until <= now() + :hold * interval '1 second' then t.open_until end) - now())::float * 1000 as "waitMs"
     from webhook_targets t join environments e on e.id = t.environment_id cross join lateral (
       select greatest(next_attempt_at, case when attempt_until <= now() + ${LEASE} then attempt_until end) as at
       from webhook_messages where target_id = t.id and status = 'pending'
       order by next_attempt_at limit :inFlight + 1
     ) m
     where t.paused_at is null and e.deleted_at is null and (:targetId::bigint is null or t.id = :targetId)
     group by t.id`,
    { hold: MAX_HOLD_SECONDS, inFlight: PARALLEL_PER_TARGET, targetId: targetId ?? null },
  );
  return rows;
}
