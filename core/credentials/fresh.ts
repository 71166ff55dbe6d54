import { setTimeout as pause } from 'node:timers/promises';
import { modeOf } from '../auth-modes/index.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionById } from '../connections/connection-store.ts';
import { unknownConnection } from '../connections/connections.ts';
import { describeDatabaseFault } from '../db/database-fault.ts';
import { ServiceError } from '../errors.ts';
import { isExpired } from './due-store.ts';
import { type HolderState, holderState } from './holder.ts';
import { judge, type Standing, type Wish } from './judge.ts';
import { type Lease, readLease, releaseLease } from './lease-store.ts';
import { marginSeconds } from './refresh-margin.ts';
import { type RefreshDeps, recordVerdict, refreshOnce } from './refresh-once.ts';
import type { RefreshTimes } from './refresh-times.ts';
import { waitForGeneration } from './wait-for-generation.ts';

const MAX_ROUNDS = 10;
const EXPIRED = 'the access token has expired and the provider cannot renew it right now';
/** For calls under way and for renewed tokens that wait for the database; what follows has to fit into `process-end.ts`. */
const DRAIN_MS = 25_000;
const LAST_WORDS_MS = 1_000;

export interface FreshDeps extends RefreshDeps {
  readonly refreshMarginSeconds: number;
}

export interface FreshOptions {
  /** Renew even if it is not time; also revives a connection that needed the user. */
  readonly force?: boolean;
  /** The generation whose token the provider's API just refused with 401. */
  readonly after401?: number;
}

/**
 * The one way to get credentials: those that are stored while they will do, else renewed ones. However many callers and
 * instances ask, one token call is made; the others wait for its result.
 *
 * @throws ServiceError `invalid_credentials` (the user must authorize again), `provider_unavailable` (temporarily, with
 *   `Retry-After`), `unknown_connection` (deleted meanwhile)
 */
export async function freshCredentials(deps: FreshDeps, connection: Connection, options: FreshOptions = {}): Promise<Connection> {
  const now = await deps.refreshing.time.current(deps.db);
  const wish = wishOf(connection, options);
  if (wish === 'working' && willDo(deps, connection, now)) return connection;

  const flight = deps.refreshing.flights.run(`${connection.id}:${connection.generation}:${wish}`, () =>
    settle(deps, connection, wish),
  );
  const { times } = deps.refreshing;
  return waitFor(deps.refreshing.track(flight), connection, { isUsable: isUsable(connection, now), wish, ...times });
}

/** Waits until somebody else's lease ends, and renews the credentials where its owner is dead or silent. */
export async function takeOver(deps: FreshDeps, connection: Connection): Promise<void> {
  const { refreshing } = deps;
  const waiting = waitForHolder(deps, connection, { wish: 'renewed', isWorthWaiting: () => !refreshing.isClosed });
  await refreshing.track(waiting);
}

/**
 * For the shutdown, after the last request: waits for token calls under way and until renewed tokens are written. The log names
 * the connections of those that take too long; their leases are given back as unknown.
 */
export async function releaseLeases(deps: Pick<FreshDeps, 'db' | 'refreshing' | 'log'>, withinMs = DRAIN_MS): Promise<void> {
  const { refreshing, db, log } = deps;
  refreshing.close();
  if (!(await refreshing.drained(withinMs))) {
    refreshing.abandon();
    const connections = [...refreshing.held.values()].map(({ environmentId, connectionId }) => ({ environmentId, connectionId }));
    log.error('leaving before these refreshes ended: whether their refresh tokens were spent is unknown', { connections });
    const given = [...refreshing.held].map(([owner, ref]) => releaseLease(db, ref, { owner, isUnknown: true }));
    await Promise.race([Promise.allSettled(given), pause(LAST_WORDS_MS, undefined, { ref: false })]);
  }
}

function wishOf({ generation }: Connection, { force = false, after401 }: FreshOptions): Wish {
  if (force) return 'renewed';
  return after401 === undefined || after401 < generation ? 'working' : 'after401';
}

/** The short way: nothing is to be done, and no question to the database either. */
function willDo(deps: FreshDeps, connection: Connection, now: Date): boolean {
  const judgement = judge(snapshot(connection, now), 'working', marginSeconds(deps, connection.provider));
  return judgement === 'serve' || (judgement === 'back_off' && isUsable(connection, now));
}

/** Looks at the row, does what it asks for, and looks again, until it has an answer. */
async function settle(deps: FreshDeps, connection: Connection, wish: Wish): Promise<Connection> {
  let current = connection;
  let wanted = wish;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const lease = await readLease(deps.db, current);
    if (lease === undefined) throw unknownConnection(current);
    deps.refreshing.time.observe(lease.now);
    const hasMoved = lease.generation !== current.generation;
    const answer = hasMoved ? undefined : await act(deps, current, { lease, wish: wanted });
    if (answer !== undefined) return answer;
    if (hasMoved) current = await reload(deps, current);
    // One renewal, ours or another's, fulfils any wish; if it failed, what is stored must do.
    wanted = 'working';
  }
  throw unavailable(1);
}

/** @returns undefined when something was done or waited for, and the row must be read again */
async function act(
  deps: FreshDeps,
  connection: Connection,
  { lease, wish }: { lease: Lease; wish: Wish },
): Promise<Connection | undefined> {
  switch (judge(standing(connection, lease), wish, marginSeconds(deps, connection.provider))) {
    case 'serve':
      return connection;
    case 'back_off':
      if (!isExpired(lease)) return connection;
      throw unavailable(secondsUntil(lease.refreshAfter, lease.now));
    case 'needs_user':
      throw userNeeded(lease.authErrorLogId);
    case 'expired':
      await recordVerdict(deps, connection, { cause: 'expired', operation: expiry(deps, connection) });
      return undefined;
    case 'refresh':
      return renew(deps, connection, { lease, wish });
  }
}

/** Renews, or waits for whoever does. A process that is to end waits for no one else and begins nothing: the stored must do. */
async function renew(
  deps: FreshDeps,
  connection: Connection,
  { lease, wish }: { lease: Lease; wish: Wish },
): Promise<Connection | undefined> {
  const { refreshing } = deps;
  const state = await holderState(deps, lease);
  const isWorthWaiting = () => !refreshing.isClosed || refreshing.isCallingFor(connection);
  if (state === 'holds' && isWorthWaiting()) return waitForHolder(deps, connection, { wish, isWorthWaiting });
  if (refreshing.isClosed) {
    if (isUsable(lease, lease.now)) return connection;
    throw unavailable(1, 'the access token has expired and this instance is about to end; ask again');
  }
  await refreshOnce(deps, connection, { force: wish === 'renewed', seen: lease.holder, isGone: state === 'gone' });
  return undefined;
}

/** Until the lease is given back. One whose owner is dead or silent is taken over: nobody else would fulfil the wish. */
async function waitForHolder(
  deps: FreshDeps,
  connection: Connection,
  { wish, isWorthWaiting }: { wish: Wish; isWorthWaiting: () => boolean },
): Promise<undefined> {
  let left: { lease: Lease; state: HolderState } | undefined;
  await waitForGeneration(deps.db, connection, async (lease) => {
    const state = await holderState(deps, lease);
    if (state === 'gone' || state === 'silent') left = { lease, state };
    return state !== 'holds' || !isWorthWaiting();
  });
  if (left === undefined || deps.refreshing.isClosed) return;
  await refreshOnce(deps, connection, { force: wish === 'renewed', seen: left.lease.holder, isGone: left.state === 'gone' });
}

async function reload(deps: FreshDeps, connection: Connection): Promise<Connection> {
  const latest = await connectionById(deps, connection.environmentId, connection.id);
  if (latest === undefined) throw unknownConnection(connection);
  return latest;
}

/** A caller whose token still works is not made to wait for a slow provider; the renewal goes on without it. */
async function waitFor(
  flight: Promise<Connection>,
  connection: Connection,
  { isUsable, wish, patienceMs }: { isUsable: boolean; wish: Wish } & Pick<RefreshTimes, 'patienceMs'>,
): Promise<Connection> {
  const isPatient = !isUsable || wish !== 'working';
  const over = new AbortController();
  const patience = pause(isPatient ? patienceMs.otherwise : patienceMs.whileUsable, undefined, {
    signal: over.signal,
    ref: false,
  });
  try {
    const answer = await Promise.race([flight, patience.catch(() => undefined)]);
    if (answer !== undefined) return answer;
    if (isUsable) return connection;
    throw unavailable(5);
  } catch (error) {
    // While the database is away nothing can be renewed, and what is stored still works.
    if (isUsable && describeDatabaseFault(error) !== undefined) return connection;
    throw error;
  } finally {
    over.abort();
  }
}

function standing(connection: Connection, lease: Lease): Standing {
  return { ...lease, lifetimeMs: lifetimeMs(connection) };
}

/** Worked out once for each snapshot of a connection, not for each call that uses it. */
const remembered = new WeakMap<Connection, Omit<Standing, 'now'>>();

/** What is remembered of the row; at most a few seconds old, and only good for deciding that nothing is to be done. */
function snapshot(connection: Connection, now: Date): Standing {
  const known = remembered.get(connection);
  if (known !== undefined) return { ...known, now };
  const { generation, expiresAt, refreshedAt, refreshAfter, state, authErrorLogId, credentials } = connection;
  const { refreshable } = modeOf(credentials).validity(credentials);
  const row = { generation, expiresAt, refreshedAt, refreshAfter, state, authErrorLogId, refreshable };
  remembered.set(connection, { ...row, lifetimeMs: lifetimeMs(connection) });
  return snapshot(connection, now);
}

function lifetimeMs({ credentials }: Connection): number | undefined {
  const { expiresAt, receivedAt } = modeOf(credentials).validity(credentials);
  return expiresAt && expiresAt.getTime() - receivedAt.getTime();
}

function isUsable({ state, expiresAt }: Pick<Connection, 'state' | 'expiresAt'>, now: Date): boolean {
  return state !== 'needs_reauth' && !isExpired({ expiresAt, now });
}

function expiry({ activity }: FreshDeps, { environmentId, connectionId, providerConfigKey }: Connection) {
  const operation = activity.begin({ type: 'refresh', operation: 'refresh', environmentId, connectionId, providerConfigKey });
  operation.note('error', 'the access token has expired and there is no refresh token');
  return operation;
}

function userNeeded(logId: string | null): ServiceError {
  const reference = logId === null ? '' : ` (log ${logId})`;
  return new ServiceError(
    'invalid_credentials',
    `the authorization of this connection is over; the user must authorize again${reference}`,
  );
}

function unavailable(retryAfterSeconds: number, message = EXPIRED): ServiceError {
  return new ServiceError('provider_unavailable', message, { retryAfterSeconds });
}

function secondsUntil(time: Date | null, now: Date): number {
  return Math.max(1, Math.ceil(((time?.getTime() ?? 0) - now.getTime()) / 1000));
}
