import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import type { Connection, ConnectionState } from '../connections/connection.ts';
import {
  ATTRIBUTE_COLUMNS,
  type CallerAttributes,
  type ConnectionPlace,
  callerAttributes,
} from '../connections/connection-row.ts';
import { credentialColumns } from '../connections/connection-store.ts';
import type { KeyRing } from '../kit/key-ring.ts';

const LEASE_COLUMNS = [
  'generation',
  'expires_at',
  'refreshable',
  'refreshed_at',
  'refresh_after',
  'state',
  'auth_error_log_id',
  'refresh_owner',
  'refresh_until',
] as const;

/** In no time zone. */
const STAMP = 'extract(epoch from refresh_until)::text';

/** Which row a lease lies on. */
export type LeaseRef = Pick<Connection, 'id' | 'environmentId'>;

/** The lease and token state of a connection, by the database's clock. */
export interface Lease {
  readonly now: Date;
  readonly generation: number;
  readonly expiresAt: Date | null;
  readonly refreshable: boolean;
  readonly refreshedAt: Date;
  /** Back-off: no unforced call before this time. */
  readonly refreshAfter: Date | null;
  readonly state: ConnectionState;
  readonly authErrorLogId: string | null;
  /** The owner of its lease; absent: it is free. `holder.ts` decides whether the lease is still valid. */
  readonly holder: Holder | undefined;
}

export interface Holder {
  readonly owner: string;
  readonly until: Date;
  /** `until` to the microsecond: changes with every heartbeat. */
  readonly stamp: string;
}

/** A claim to be made. */
interface LeaseRequest {
  readonly owner: string;
  readonly force: boolean;
  /** The lease that was looked at, and found not to be held. */
  readonly seen: Holder | undefined;
  /** Its owner is known to be dead: no response to it can come. */
  readonly isGone: boolean;
  readonly leaseSeconds: number;
  /** How long after the end of a lease its call may still bring a response. */
  readonly lateSeconds: number;
}

/** A claimed lease, and what is known of earlier calls. */
export interface ClaimedLease {
  readonly now: Date;
  /** A call of this generation went out and its outcome was never learned. */
  readonly isUnknown: boolean;
  /** Until then a call under an expired lease may still bring a response. */
  readonly unresolvedUntil: Date | null;
  readonly failures: number;
}

type Fenced = LeaseRef & Pick<Connection, 'generation'>;

export async function readDatabaseTime(db: Knex): Promise<Date> {
  const { rows }: { rows: { now: Date }[] } = await db.raw('select clock_timestamp() as now');
  return rows[0]?.now ?? new Date();
}

export async function readLease(db: Knex, ref: LeaseRef): Promise<Lease | undefined> {
  const row = await live(db, ref)
    .select(...LEASE_COLUMNS, db.raw('now() as now'), db.raw(`${STAMP} as stamp`))
    .first();
  return (
    row && {
      now: row.now,
      generation: row.generation,
      expiresAt: row.expires_at,
      refreshable: row.refreshable,
      refreshedAt: row.refreshed_at,
      refreshAfter: row.refresh_after,
      state: row.state,
      authErrorLogId: row.auth_error_log_id,
      holder: row.refresh_until === null ? undefined : { owner: row.refresh_owner, until: row.refresh_until, stamp: row.stamp },
    }
  );
}

/**
 * Claims the lease of this generation if it is still the one that was read. A call of an earlier owner whose outcome is not known
 * is unresolved. Unforced, back-off and state are checked once more: another instance may just have learned something.
 */
export async function claimLease(db: Knex, ref: Fenced, request: LeaseRequest): Promise<ClaimedLease | undefined> {
  const query = live(db, ref).where({ generation: ref.generation });
  if (request.seen === undefined) query.whereNull('refresh_until');
  else query.whereRaw(`refresh_owner = ? and ${STAMP} = ?`, [request.seen.owner, request.seen.stamp]);
  if (!request.force) query.where('state', '<>', 'needs_reauth').whereRaw('coalesce(refresh_after <= now(), true)');
  const unresolved = request.isGone
    ? {}
    : {
        refresh_unresolved_until: db.raw(`coalesce(refresh_until + ? * interval '1 second', refresh_unresolved_until)`, [
          request.lateSeconds,
        ]),
      };
  const [row] = await query
    .update({
      refresh_owner: request.owner,
      refresh_until: fromNow(db, request.leaseSeconds),
      refresh_unknown: db.raw('refresh_unknown or refresh_until is not null'),
      ...unresolved,
    })
    .returning(['refresh_unknown', 'refresh_unresolved_until', 'refresh_failures', db.raw('now() as now')]);
  return (
    row && {
      now: row.now,
      isUnknown: row.refresh_unknown,
      unresolvedUntil: row.refresh_unresolved_until,
      failures: row.refresh_failures,
    }
  );
}

/** Does nothing once another owner has it. */
export async function prolongLease(
  db: Knex,
  ref: LeaseRef,
  { owner, leaseSeconds }: Pick<LeaseRequest, 'owner' | 'leaseSeconds'>,
): Promise<void> {
  await live(db, ref)
    .where({ refresh_owner: owner })
    .update({ refresh_until: fromNow(db, leaseSeconds) });
}

/** What has been reported to the application about a connection's outage. */
export interface KnownOutage {
  readonly state: ConnectionState;
  readonly generation: number;
  /** That the provider cannot renew the connection was reported. */
  readonly isNotified: boolean;
}

/** What has been reported; locks the row until the transaction `trx` ends. @returns undefined when the connection is gone */
export async function lockOutage(trx: Knex.Transaction, ref: LeaseRef): Promise<KnownOutage | undefined> {
  const row = await live(trx, ref)
    .forUpdate()
    .first('state', 'generation', trx.raw(`${IS_NOTIFIED} as is_notified`));
  return row && { state: row.state, generation: row.generation, isNotified: row.is_notified };
}

/**
 * Writes new credentials while the generation they were got with still stands, whoever holds the lease now: they may be the
 * only ones that live.
 *
 * @returns the attributes of the connection; undefined when the generation moved
 */
export async function storeRenewed(
  deps: { db: Knex; keys: KeyRing },
  ref: Fenced & ConnectionPlace,
  { credentials, found }: Renewal,
): Promise<CallerAttributes | undefined> {
  const { db, keys } = deps;
  const [row] = await live(db, ref)
    .where({ generation: ref.generation })
    .update({
      ...credentialColumns(keys, credentials, ref),
      ...(Object.keys(found).length > 0 && {
        connection_config: db.raw('connection_config || ?::jsonb', [JSON.stringify(found)]),
      }),
      ...FREE,
      generation: db.raw('generation + 1'),
      refresh_unknown: false,
      refresh_failures: 0,
      refresh_after: null,
      refreshed_at: db.fn.now(),
      ...movedTo(db, 'healthy', null),
      auth_error_log_id: null,
      updated_at: db.fn.now(),
    })
    .returning(ATTRIBUTE_COLUMNS);
  return row && callerAttributes(row);
}

/** What a token call brought. */
export interface Renewal {
  readonly credentials: StoredCredentials;
  /** Configuration in the response. */
  readonly found: JsonObject;
}

interface FailedCall {
  readonly owner: string;
  readonly waitMs: number;
  readonly cause: string;
  /** The refresh token may have been spent. */
  readonly isUnknown: boolean;
}

/** How long an expired connection fails to renew before this is reported to the application. */
const NOTIFY_AFTER_HOURS = 24;
const IS_NOTIFIED = 'coalesce(outage_told_at >= state_since, false)';
const IS_LASTING = `(state = 'degraded' and greatest(expires_at, state_since) <= now() - interval '${NOTIFY_AFTER_HOURS} hours')`;

/**
 * Ends the lease of a call that brought nothing, and begins the back-off. Does nothing once another owner has the lease.
 *
 * @returns the attributes of the connection if the outage is to be reported to the application now, once in each
 */
export async function backOff(db: Knex, ref: LeaseRef, failed: FailedCall): Promise<CallerAttributes | undefined> {
  const [row] = await live(db, ref)
    .where({ refresh_owner: failed.owner })
    .update({
      ...FREE,
      refresh_unknown: db.raw('refresh_unknown or ?', [failed.isUnknown]),
      refresh_failures: db.raw('refresh_failures + 1'),
      refresh_after: fromNow(db, failed.waitMs / 1000),
      state: db.raw(`case state when 'needs_reauth' then state else 'degraded' end`),
      state_cause: db.raw(`case state when 'needs_reauth' then state_cause else ? end`, [failed.cause]),
      state_since: db.raw(`case when state in ('needs_reauth', 'degraded') then state_since else now() end`),
      outage_told_at: db.raw(`case when ${IS_LASTING} and not ${IS_NOTIFIED} then now() else outage_told_at end`),
    })
    // `now()` is the time at which this transaction began: who reads it in the row has just written it.
    .returning([...ATTRIBUTE_COLUMNS, db.raw('coalesce(outage_told_at = now(), false) as is_news')]);
  return row?.is_news === true ? callerAttributes(row) : undefined;
}

export interface NeedsReauth {
  readonly cause: 'refused' | 'rotation_response_lost' | 'client_changed' | 'expired' | 'verification_failed';
  readonly logId: string;
  /** Only while this lease is held; absent: no call was made. */
  readonly owner?: string;
}

/**
 * The user is needed.
 *
 * @returns the attributes of the connection; undefined when the generation moved, or another call took the lease over
 */
export async function markNeedsReauth(
  db: Knex,
  ref: Fenced,
  { cause, logId, owner }: NeedsReauth,
): Promise<CallerAttributes | undefined> {
  const query = live(db, ref).where({ generation: ref.generation });
  if (owner === undefined) query.whereNot({ state: 'needs_reauth' });
  else query.where({ refresh_owner: owner });
  const [row] = await query
    .update({
      ...(owner !== undefined && FREE),
      refresh_failures: 0,
      refresh_after: null,
      ...movedTo(db, 'needs_reauth', cause),
      auth_error_log_id: logId,
    })
    .returning(ATTRIBUTE_COLUMNS);
  return row && callerAttributes(row);
}

/**
 * Releases a lease whose call stored nothing, so that other requests do not wait until it expires.
 *
 * @param isUnknown whether the refresh token may have been spent
 */
export async function releaseLease(
  db: Knex,
  ref: LeaseRef,
  { owner, isUnknown }: { readonly owner: string; readonly isUnknown: boolean },
): Promise<void> {
  await live(db, ref)
    .where({ refresh_owner: owner })
    .update({ ...FREE, refresh_unknown: db.raw('refresh_unknown or ?', [isUnknown]) });
}

const FREE = { refresh_owner: null, refresh_until: null, refresh_unresolved_until: null };

function movedTo(db: Knex, state: ConnectionState, cause: string | null): Record<string, unknown> {
  return { state, state_cause: cause, state_since: db.raw('case state when ? then state_since else now() end', [state]) };
}

function live(db: Knex, { environmentId, id }: LeaseRef): Knex.QueryBuilder {
  return db('connections').where({ id, environment_id: environmentId }).whereNull('deleted_at');
}

function fromNow(db: Knex, seconds: number): Knex.Raw {
  return db.raw(`now() + ? * interval '1 second'`, [seconds]);
}
