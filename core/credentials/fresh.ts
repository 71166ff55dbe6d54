import { setTimeout as pause } from 'node:timers/promises';
import { validityOf } from '../auth-modes/validity.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionById } from '../connections/connection-store.ts';
import { unknownConnection } from '../connections/connections.ts';
import { describeDatabaseFault } from '../db/database-fault.ts';
import { ServiceError } from '../errors.ts';
import type { CredentialsDeps, LeaseDeps } from './deps.ts';
import { marginSeconds } from './due-rule.ts';
import { isExpired } from './due-store.ts';
import { recordExpiry } from './expired.ts';
import { holderState } from './holder.ts';
import { type Lease, readLease, releaseLease } from './lease-store.ts';
import { decideRefresh, type RefreshReason, type TokenState } from './refresh-decision.ts';
import { refreshOnce } from './refresh-once.ts';
import type { RefreshTimes } from './refresh-times.ts';
import { waitForGeneration } from './wait-for-generation.ts';

const MAX_ROUNDS = 10;
const EXPIRED = 'the access token has expired and the provider cannot refresh it at the moment';
/**
 * How long the shutdown waits for calls under way and for refreshed tokens that cannot be stored yet, in milliseconds. Together
 * with the steps that follow, it must fit into the deadline in `process-end.ts`.
 */
const DRAIN_MS = 25_000;
const RELEASE_MS = 1_000;

interface FreshOptions {
  /** True to refresh even if that is not due, and even if the connection is in the state `needs_reauth`. */
  readonly force?: boolean;
  /** The generation whose token the provider's API just refused with 401. */
  readonly after401?: number;
}

/**
 * Returns valid credentials: the stored ones while they are valid, else refreshed ones. There is no other way to get valid
 * credentials. However many callers on however many instances request them, only one token call is made, and all wait for its
 * result.
 *
 * @throws ServiceError `invalid_credentials` (the user must authorize again), `provider_unavailable` (temporarily, with
 *   `Retry-After`), `unknown_connection` (deleted meanwhile)
 */
export async function freshCredentials(
  deps: CredentialsDeps,
  connection: Connection,
  options: FreshOptions = {},
): Promise<Connection> {
  const now = await deps.refreshing.time.current(deps.db);
  const reason = reasonOf(connection, options);
  if (reason === 'use' && canServe(deps, connection, now)) return connection;

  const flight = deps.refreshing.flights.run(`${connection.id}:${connection.generation}:${reason}`, () =>
    resolveCredentials(deps, connection, reason),
  );
  const { times } = deps.refreshing;
  return waitFor(deps.refreshing.track(flight), connection, { isUsable: isUsable(connection, now), reason, ...times });
}

/** Waits for the end of another owner's lease; refreshes the credentials if that owner is dead or the lease has expired. */
export async function takeOver(deps: CredentialsDeps, connection: Connection): Promise<void> {
  await deps.refreshing.track(waitForHolder(deps, connection, 'forced'));
}

/**
 * Waits for token calls under way and until refreshed tokens are written; called at shutdown, after the last request. The log
 * names the connections whose calls take too long; their leases are released with an unknown outcome.
 */
export async function releaseLeases(deps: LeaseDeps, withinMs = DRAIN_MS): Promise<void> {
  const { refreshing, db, log } = deps;
  refreshing.close();
  if (!(await refreshing.drained(withinMs))) {
    refreshing.abandon();
    const held = [...refreshing.held].flatMap(([owner, ref]) => (ref === undefined ? [] : { ...ref, owner }));
    const connections = held.map(({ environmentId, connectionId, id }) => ({ environmentId, connectionId: connectionId ?? id }));
    log.error('the process exits before these refreshes have ended, so it is unknown whether their refresh tokens were used', {
      connections,
    });
    const released = held.map(({ owner, ...ref }) => releaseLease(db, ref, { owner, isUnknown: true }));
    await Promise.race([Promise.allSettled(released), pause(RELEASE_MS, undefined, { ref: false })]);
  }
}

function reasonOf({ generation }: Connection, { force = false, after401 }: FreshOptions): RefreshReason {
  if (force) return 'forced';
  return after401 === undefined || after401 < generation ? 'use' : 'after401';
}

/** Returns whether the cached credentials can be used as they are. This is the fast path: it makes no query. */
function canServe(deps: CredentialsDeps, connection: Connection, now: Date): boolean {
  const decision = decideRefresh(cachedState(connection, now), 'use', marginSeconds(deps, connection.provider));
  return decision === 'serve' || (decision === 'back_off' && isUsable(connection, now));
}

/** Reads the row, acts on the decision and reads the row again, until there are credentials to return. */
async function resolveCredentials(deps: CredentialsDeps, connection: Connection, reason: RefreshReason): Promise<Connection> {
  let current = connection;
  let next = reason;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const lease = await readLease(deps.db, current);
    if (lease === undefined) throw unknownConnection(current);
    deps.refreshing.time.observe(lease.now);
    const hasMoved = lease.generation !== current.generation;
    const result = hasMoved ? undefined : await applyDecision(deps, current, { lease, reason: next });
    if (result !== undefined) return result;
    if (hasMoved) current = await reload(deps, current);
    // Whatever the reason, one refresh is enough, by this process or another; if it failed, the stored credentials must do.
    next = 'use';
  }
  throw unavailable(1);
}

/** @returns the credentials; undefined when something was done or waited for, so that the row must be read again */
async function applyDecision(
  deps: CredentialsDeps,
  connection: Connection,
  { lease, reason }: { lease: Lease; reason: RefreshReason },
): Promise<Connection | undefined> {
  const state: TokenState = { ...lease, lifetimeMs: lifetimeMs(connection) };
  switch (decideRefresh(state, reason, marginSeconds(deps, connection.provider))) {
    case 'serve':
      return connection;
    case 'back_off':
      if (!isExpired(lease)) return connection;
      throw unavailable(secondsUntil(lease.refreshAfter, lease.now));
    case 'needs_user':
      throw userNeeded(lease.authErrorLogId);
    case 'expired':
      await recordExpiry(deps, connection);
      return undefined;
    case 'refresh':
      return renew(deps, connection, { lease, reason });
  }
}

/**
 * Refreshes the credentials, or waits for the instance that is doing so. A process that is shutting down waits for no other
 * instance and starts no call.
 */
async function renew(
  deps: CredentialsDeps,
  connection: Connection,
  { lease, reason }: { lease: Lease; reason: RefreshReason },
): Promise<Connection | undefined> {
  const { refreshing } = deps;
  const state = await holderState(deps, lease);
  if (state === 'holds' && isWorthWaiting(deps, connection)) return waitForHolder(deps, connection, reason);
  if (refreshing.isClosed) {
    if (isUsable(lease, lease.now)) return connection;
    throw unavailable(1, 'the access token has expired and this instance is shutting down; send the request again');
  }
  await refreshOnce(deps, connection, { force: reason === 'forced', seen: lease.holder });
  return undefined;
}

/**
 * Waits until the lease is released. A lease that has expired, or whose owner is dead, is taken over for a refresh, since nobody
 * else would refresh the credentials.
 */
async function waitForHolder(deps: CredentialsDeps, connection: Connection, reason: RefreshReason): Promise<undefined> {
  let lapsed: Lease | undefined;
  await waitForGeneration(deps.db, connection, async (lease) => {
    const state = await holderState(deps, lease);
    if (state === 'gone' || state === 'expired') lapsed = lease;
    return state !== 'holds' || !isWorthWaiting(deps, connection);
  });
  if (lapsed === undefined || deps.refreshing.isClosed) return;
  await refreshOnce(deps, connection, { force: reason === 'forced', seen: lapsed.holder });
}

/** Returns false for a process that is shutting down, unless it makes the call itself. */
function isWorthWaiting({ refreshing }: CredentialsDeps, connection: Connection): boolean {
  return !refreshing.isClosed || refreshing.isCallingFor(connection);
}

async function reload(deps: CredentialsDeps, connection: Connection): Promise<Connection> {
  const latest = await connectionById(deps, connection.environmentId, connection.id);
  if (latest === undefined) throw unknownConnection(connection);
  return latest;
}

/**
 * Waits for a refresh. A caller whose token still works does not have to wait for a slow provider; the refresh then continues in
 * the background.
 */
async function waitFor(
  flight: Promise<Connection>,
  connection: Connection,
  { isUsable, reason, patienceMs }: { isUsable: boolean; reason: RefreshReason } & Pick<RefreshTimes, 'patienceMs'>,
): Promise<Connection> {
  const isPatient = !isUsable || reason !== 'use';
  const over = new AbortController();
  const patience = pause(isPatient ? patienceMs.otherwise : patienceMs.whileUsable, undefined, {
    signal: over.signal,
    ref: false,
  });
  try {
    const result = await Promise.race([flight, patience.catch(() => undefined)]);
    if (result !== undefined) return result;
    if (isUsable) return connection;
    throw unavailable(5);
  } catch (error) {
    // Without the database nothing can be refreshed, but the stored credentials still work.
    if (isUsable && describeDatabaseFault(error) !== undefined) return connection;
    throw error;
  } finally {
    over.abort();
  }
}

/** Reads the state from the cached row, which may be a few seconds old, so it can only show that nothing needs to be done. */
function cachedState(connection: Connection, now: Date): TokenState {
  const { generation, expiresAt, refreshedAt, refreshAfter, state, authErrorLogId, credentials } = connection;
  const { refreshable } = validityOf(credentials);
  const row = { generation, expiresAt, refreshedAt, refreshAfter, state, authErrorLogId, refreshable };
  return { ...row, now, lifetimeMs: lifetimeMs(connection) };
}

function lifetimeMs({ credentials }: Connection): number | undefined {
  const { expiresAt, receivedAt } = validityOf(credentials);
  return expiresAt && expiresAt.getTime() - receivedAt.getTime();
}

function isUsable({ state, expiresAt }: Pick<Connection, 'state' | 'expiresAt'>, now: Date): boolean {
  return state !== 'needs_reauth' && !isExpired({ expiresAt, now });
}

function userNeeded(logId: string | null): ServiceError {
  const reference = logId === null ? '' : ` (log ${logId})`;
  return new ServiceError(
    'invalid_credentials',
    `the authorization of this connection has ended; the user must authorize again${reference}`,
  );
}

function unavailable(retryAfterSeconds: number, message = EXPIRED): ServiceError {
  return new ServiceError('provider_unavailable', message, { retryAfterSeconds });
}

function secondsUntil(time: Date | null, now: Date): number {
  return Math.max(1, Math.ceil(((time?.getTime() ?? 0) - now.getTime()) / 1000));
}
