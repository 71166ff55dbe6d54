import type { Knex } from 'knex';
import type { Connection, ConnectionState } from '../connections/connection.ts';
import { duePage, nextDueMs, roomBindings } from '../db/claim-due-rows.ts';
import type { Room } from '../db/due-worker.ts';

/** SQL of the end of the lease, as text that does not depend on a time zone. */
const STAMP = 'extract(epoch from lease_until)::text';
/** A call that takes longer than this many seconds suggests that its origin does not respond. */
const SILENT_AFTER_SECONDS = 5;
/**
 * If one origin has this many leases that are older than `SILENT_AFTER_SECONDS`, counted over all instances, no worker claims
 * another of its rows.
 */
const SILENT_LEASES = 10;

/** Identifies the row that a lease is on. */
export type LeaseRef = Pick<Connection, 'id' | 'environmentId'>;

/** The lease and token state of a connection, by the database's clock. */
export interface Lease {
  readonly now: Date;
  readonly generation: number;
  readonly expiresAt: Date | null;
  readonly refreshable: boolean;
  readonly refreshedAt: Date;
  /** End of the back-off: no unforced call is made before this time. Null: no back-off. */
  readonly refreshAfter: Date | null;
  readonly state: ConnectionState;
  readonly authErrorLogId: string | null;
  /** The holder of the lease; undefined when the lease is free. `holder.ts` decides whether it is still valid. */
  readonly holder: LeaseHolder | undefined;
}

export interface LeaseHolder {
  readonly owner: string;
  readonly until: Date;
  /** `until` to the microsecond; it changes with every heartbeat. */
  readonly stamp: string;
  readonly claimedAt: Date;
}

export async function readLease(db: Knex, { id, environmentId }: LeaseRef): Promise<Lease | undefined> {
  const { rows } = await db.raw(
    `select c.generation, expires_at, refreshable, refreshed_at, refresh_after, state, auth_error_log_id, owner, lease_until,
       leased_at, now() as now, ${STAMP} as stamp
     from connections c join refreshes r on r.connection_id = c.id
     where c.id = ? and c.environment_id = ? and deleted_at is null`,
    [id, environmentId],
  );
  const [row] = rows;
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
      holder: holderOf(row),
    }
  );
}

interface LeaseColumns {
  readonly owner: string | null;
  readonly lease_until: Date;
  readonly stamp: string;
  readonly leased_at: Date;
}

function holderOf({ owner, lease_until: until, stamp, leased_at: claimedAt }: LeaseColumns): LeaseHolder | undefined {
  return owner === null ? undefined : { owner, until, stamp, claimedAt };
}

/** A claimed lease, with what is known about earlier calls. */
export interface ClaimedLease {
  readonly now: Date;
  /** True when a call of this generation was sent and its outcome was never learned. */
  readonly isUnknown: boolean;
  readonly failures: number;
}

/** A claim on behalf of a caller. */
interface LeaseRequest {
  readonly owner: string;
  readonly force: boolean;
  /** The lease that was found before but is no longer valid; undefined: there was none. */
  readonly seen: LeaseHolder | undefined;
  readonly leaseSeconds: number;
  /** The origin that the call goes to. */
  readonly origin: string;
}

/** SQL that selects the rows of the CTE `claimed`, with what their connections say about earlier calls. */
const CLAIMED_LEASE = `
  select claimed.*, c.refresh_unknown, c.refresh_failures, now() as now
  from claimed join connections c on c.id = claimed.connection_id`;

/**
 * Claims the lease of this generation if it is still the one that was read. Unless forced, the claim checks back-off and state
 * once more, since another instance may just have learned something.
 */
export async function claimLease(
  db: Knex,
  { id, environmentId, generation }: LeaseRef & Pick<Connection, 'generation'>,
  { seen, ...request }: LeaseRequest,
): Promise<ClaimedLease | undefined> {
  const isFree = seen === undefined ? 'owner is null' : `owner = :seenOwner and ${STAMP} = :seenStamp`;
  const mayCall = `c.state <> 'needs_reauth' and coalesce(c.refresh_after <= now(), true)`;
  const { rows } = await db.raw(
    // Locks the connection before the row in `refreshes`, as all writers do, so that they cannot deadlock.
    `with locked as (select from connections where id = :id and environment_id = :environmentId and :wasLeased for update),
     claimed as (
       update refreshes set owner = :owner, leased_at = now(), lease_until = now() + :leaseSeconds * interval '1 second',
         token_origin = :origin
       from connections c
       where refreshes.connection_id = :id and refreshes.environment_id = :environmentId and refreshes.generation = :generation
         and c.id = :id and ${isFree} ${request.force ? '' : `and ${mayCall}`}
         and (select count(*) from locked) >= 0
       returning refreshes.connection_id
     ),
     doubted as (
       update connections set refresh_unknown = true where id in (select connection_id from claimed) and :wasLeased
     )
     ${CLAIMED_LEASE}`,
    {
      ...{ id, environmentId, generation, wasLeased: seen !== undefined, owner: request.owner, origin: request.origin },
      leaseSeconds: request.leaseSeconds,
      ...(seen !== undefined && { seenOwner: seen.owner, seenStamp: seen.stamp }),
    },
  );
  const [row] = rows;
  return row && { ...claimedLease(row), isUnknown: row.refresh_unknown || seen !== undefined };
}

/** A row that a worker has claimed. */
export interface ClaimedRow extends ClaimedLease, LeaseRef {
  readonly generation: number;
  readonly origin: string;
  readonly owner: string;
}

interface ClaimPage {
  readonly room: Room;
  /** Names of new owners, one for each row that may be claimed. */
  readonly owners: readonly string[];
  readonly leaseSeconds: number;
}

/**
 * SQL of the silent origins: those with at least `SILENT_LEASES` calls, counted over all instances, that take longer than
 * `SILENT_AFTER_SECONDS`.
 */
const SILENT_ORIGINS = `array(
  select token_origin from refreshes
  where owner is not null and leased_at < now() - interval '${SILENT_AFTER_SECONDS} seconds'
  group by token_origin having count(*) >= ${SILENT_LEASES})`;
const FREE = { table: 'refreshes', isFree: 'owner is null' };
const DUE_PAGE = duePage({ ...FREE, key: 'connection_id', group: 'token_origin', passedOver: SILENT_ORIGINS });

/**
 * Claims due rows that nobody has claimed, the longest due first, in one statement. Skips origins where the process has no free
 * slot, and silent origins.
 */
export async function claimDue(db: Knex, { room, owners, leaseSeconds }: ClaimPage): Promise<ClaimedRow[]> {
  const { rows } = await db.raw(
    `with ${DUE_PAGE},
     numbered as (select connection_id, row_number() over () as number from page),
     claimed as (
       update refreshes set owner = (:owners::text[])[number], leased_at = now(),
         lease_until = now() + :leaseSeconds * interval '1 second'
       from numbered where refreshes.connection_id = numbered.connection_id
       returning refreshes.*
     )
     ${CLAIMED_LEASE}`,
    { ...roomBindings(room), owners: [...owners], leaseSeconds },
  );
  return rows.map((row: ClaimedColumns) => ({
    ...claimedLease(row),
    id: row.connection_id,
    environmentId: row.environment_id,
    generation: row.generation,
    origin: row.token_origin,
    owner: row.owner,
  }));
}

interface ClaimedColumns {
  readonly connection_id: number;
  readonly environment_id: number;
  readonly generation: number;
  readonly token_origin: string;
  readonly owner: string;
  readonly refresh_unknown: boolean;
  readonly refresh_failures: number;
  readonly now: Date;
}

function claimedLease(row: Omit<ClaimedColumns, 'token_origin'>): ClaimedLease {
  const { now, refresh_unknown: isUnknown, refresh_failures: failures } = row;
  return { now, isUnknown, failures };
}

/** @returns milliseconds until the next row is due; undefined when there is none */
export function nextRefreshMs(db: Knex): Promise<number | undefined> {
  return nextDueMs(db, FREE);
}

/** Extends a lease; does nothing once another owner has the lease. */
export async function prolongLease(
  db: Knex,
  { id, environmentId }: LeaseRef,
  { owner, leaseSeconds }: Pick<LeaseRequest, 'owner' | 'leaseSeconds'>,
): Promise<void> {
  await db('refreshes')
    .where({ connection_id: id, environment_id: environmentId, owner })
    .update({ lease_until: db.raw(`now() + ? * interval '1 second'`, [leaseSeconds]) });
}

interface Release {
  readonly owner: string;
  /** True when the refresh token may have been spent: the row is then due at once, if it is ever due. */
  readonly isUnknown: boolean;
  /** No worker claims the row before this time has passed. Default: the due time stays as it is. */
  readonly againInSeconds?: number;
  /** The origin that the calls go to, if it is not the one in the row. */
  readonly origin?: string;
}

/** Releases a lease whose call stored nothing, so that other requests do not wait until it expires. */
export async function releaseLease(db: Knex, { id, environmentId }: LeaseRef, released: Release): Promise<void> {
  const { owner, isUnknown, againInSeconds, origin } = released;
  await db.raw(
    `with doubted as (
       update connections set refresh_unknown = true
       where id = :id and environment_id = :environmentId and :isUnknown and not refresh_unknown
         and exists (select from refreshes where connection_id = :id and owner = :owner)
       returning id
     )
     update refreshes set owner = null, leased_at = null, lease_until = null,
       token_origin = coalesce(:origin, token_origin),
       due_at = greatest(case when :isUnknown and due_at is not null then now() else due_at end, now() + :againInSeconds * interval '1 second')
     where connection_id = :id and environment_id = :environmentId and owner = :owner
       and (select count(*) from doubted) >= 0`,
    { id, environmentId, owner, isUnknown, origin: origin ?? null, againInSeconds: againInSeconds ?? null },
  );
}
