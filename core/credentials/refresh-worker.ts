import { validityOf } from '../auth-modes/validity.ts';
import { connectionById } from '../connections/connection-store.ts';
import { DueWorker, type Room } from '../db/due-worker.ts';
import { ServiceError } from '../errors.ts';
import { callOrigin, loadSubject, type Subject } from './call-provider.ts';
import type { CredentialsDeps } from './deps.ts';
import { type ClaimedRow, claimDue, nextRefreshMs, releaseLease } from './lease-store.ts';
import { refreshClaimed } from './refresh-once.ts';
import { verifyClaimed } from './verify-connection.ts';

/** The wait after a call that could not even be tried, such as one to a provider whose folder is missing, in seconds. */
const AGAIN_SECONDS = 3_600;

/**
 * Refreshes and verifies connections when they are due, whether anybody uses them or not: those whose tokens are about to expire,
 * those that nobody refreshed for a day, and credentials without expiry that nobody verified for a day. Any number of instances
 * share the work.
 */
export function refreshWorker(deps: CredentialsDeps, { atOnce }: { readonly atOnce?: number } = {}): DueWorker<ClaimedRow> {
  const { signals, log, db } = deps;
  return new DueWorker({
    ...{ signals, log, topic: 'refreshes', ...(atOnce !== undefined && { atOnce }) },
    claim: (room) => claim(deps, room),
    nextDueMs: () => nextRefreshMs(db),
    groupOf: ({ origin }) => origin,
    work: (row) => deps.refreshing.track(workOn(deps, row)),
  });
}

async function claim({ db, instances, refreshing }: CredentialsDeps, room: Room): Promise<readonly ClaimedRow[]> {
  if (refreshing.isClosed) return [];
  const owners = Array.from({ length: room.rows }, () => instances.newOwner());
  // Set before the claim: if the response to the claim is lost, this process holds the leases without knowing it.
  for (const owner of owners) refreshing.held.set(owner, undefined);
  let rows: readonly ClaimedRow[] = [];
  try {
    const { leaseSeconds } = refreshing.times;
    rows = await claimDue(db, { room, owners, leaseSeconds });
  } finally {
    const claimed = new Set(rows.map(({ owner }) => owner));
    for (const owner of owners) if (!claimed.has(owner)) refreshing.held.delete(owner);
  }
  for (const row of rows) refreshing.held.set(row.owner, row);
  return rows;
}

async function workOn(deps: CredentialsDeps, row: ClaimedRow): Promise<void> {
  const { db, refreshing, log } = deps;
  const { owner } = row;
  let isCalled = false;
  try {
    const subject = await subjectOfRow(deps, row);
    if (subject === undefined) return;
    refreshing.held.set(owner, subject.connection);
    isCalled = true;
    const { refreshable } = validityOf(subject.connection.credentials);
    await (refreshable ? refreshClaimed : verifyClaimed)(deps, subject, { owner, claim: row });
  } catch (error) {
    await releaseLease(db, row, { owner, isUnknown: isCalled, againInSeconds: AGAIN_SECONDS }).catch(() => undefined);
    log[error instanceof ServiceError ? 'warn' : 'error']('a connection could not be refreshed', { error, connection: row.id });
  } finally {
    refreshing.held.delete(owner);
  }
}

/**
 * Loads what the call for a claimed row needs.
 *
 * @returns undefined, after releasing the lease, if the connection has changed so that another call is due, or if the process is
 *   shutting down
 */
async function subjectOfRow(deps: CredentialsDeps, row: ClaimedRow): Promise<Subject | undefined> {
  const { owner, generation } = row;
  const connection = await connectionById(deps, row.environmentId, row.id);
  const subject = connection?.generation === generation ? await loadSubject(deps, connection) : undefined;
  const origin = subject && callOrigin(subject);
  if (subject !== undefined && origin === row.origin && !deps.refreshing.isClosed) return subject;
  await releaseLease(deps.db, row, { owner, isUnknown: false, ...(origin !== undefined && { origin }) });
  return undefined;
}
