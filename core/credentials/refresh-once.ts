import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#contract';
import { type StoredCredentials, TokenFailure } from '../auth-modes/auth-mode.ts';
import { renewedFields } from '../auth-modes/building-blocks/kept-values.ts';
import type { Connection } from '../connections/connection.ts';
import { announceChange } from '../connections/connections.ts';
import { fingerprintOf } from '../connections/integrations/effective-client.ts';
import { openPart, secretPart } from '../connections/integrations/secret-fields.ts';
import type { Notices } from '../db/notices.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import { withTransaction } from '../db/transaction.ts';
import type { Operation } from '../journal/operation-log/activity.ts';
import { notingCalls } from '../journal/operation-log/noting-calls.ts';
import { backoffMs } from '../kit/backoff.ts';
import { killPoint } from '../kit/kill-point.ts';
import { inSpan } from '../kit/tracing.ts';
import type { OutboxDeps } from '../webhook-delivery/deps.ts';
import { isBeingAuthorized } from './authorization-store.ts';
import { callProvider, loadSubject, type Subject, tokenOrigin } from './call-provider.ts';
import type { CredentialsDeps, RuleDeps } from './deps.ts';
import { dueRule } from './due-rule.ts';
import { isExpired, liftBackOffs } from './due-store.ts';
import { Heartbeat } from './heartbeat.ts';
import { type ClaimedLease, claimLease, type LeaseHolder, releaseLease } from './lease-store.ts';
import { backOffAndNotify, type ReauthCause, recordOutage, storeAndNotify } from './outage.ts';
import { degradedCause, maySpendToken } from './refresh-decision.ts';
import { waitForGeneration } from './wait-for-generation.ts';

const MAX_BACK_OFF_MS = 600_000;
/** Maximum wait that a provider may request: a longer one is a mistake, or as good as a refusal. */
const MAX_RETRY_AFTER_MS = 86_400_000;
/**
 * The first wait after a failed call, in milliseconds. It is longer (`patient`) while the stored token is valid, because no
 * request waits for the next attempt then, so the provider can be spared; but not if the call may have used the refresh token,
 * since providers tolerate its second use for seconds only.
 */
const FIRST_BACK_OFF_MS = { pressing: 1_000, patient: 15_000 };
/**
 * Waits between attempts to store credentials. They are short, because another instance may spend the same refresh token a minute
 * after the database is back.
 */
const STORE_BACK_OFF = { firstMs: 250, maxMs: 1_000 };
const WARN_EVERY_TRIES = 30;
const UNPROVEN =
  'another call used the same refresh token; the next refresh will show whether the provider ended the authorization';

interface RefreshAttempt {
  readonly subject: Subject;
  readonly connection: Connection;
  readonly owner: string;
  readonly claim: ClaimedLease;
  readonly operation: Operation;
}

/** Options of one refresh. */
interface RefreshOrder {
  readonly force: boolean;
  /** The lease that was found before but is no longer valid; undefined: there was none. */
  readonly seen: LeaseHolder | undefined;
}

/**
 * Makes one token call if the lease can be claimed, and stores how it ended: new credentials, a back-off, or that the user must
 * authorize again. Returns nothing on purpose: what counts is what the row says afterwards.
 */
export async function refreshOnce(deps: CredentialsDeps, connection: Connection, order: RefreshOrder): Promise<void> {
  const subject = await loadSubject(deps, connection);
  const origin = tokenOrigin(subject);
  await deps.refreshing.withSlot(origin, () => claimAndRefresh(deps, subject, { ...order, origin }));
}

async function claimAndRefresh(
  deps: CredentialsDeps,
  subject: Subject,
  order: RefreshOrder & { readonly origin: string },
): Promise<void> {
  const { db, refreshing, instances } = deps;
  const { connection } = subject;
  const { leaseSeconds } = refreshing.times;
  const owner = instances.newOwner();
  // Set before the claim: if the response to the claim is lost, this process holds the lease without knowing it.
  refreshing.held.set(owner, connection);
  try {
    const claim = await claimLease(db, connection, { ...order, owner, leaseSeconds });
    if (claim !== undefined) await refreshClaimed(deps, subject, { owner, claim });
  } catch (error) {
    // How the call ended is not in the row. If releasing the lease fails as well, this process takes it over once it reads that
    // the lease is its own although no call is under way.
    await releaseLease(db, connection, { owner, isUnknown: true }).catch(() => undefined);
    throw error;
  } finally {
    refreshing.held.delete(owner);
  }
}

/** Makes the call that the lease was claimed for, and stores its outcome. */
export function refreshClaimed(
  deps: CredentialsDeps,
  subject: Subject,
  lease: Pick<RefreshAttempt, 'owner' | 'claim'>,
): Promise<void> {
  const attributes = { 'svc.provider': subject.connection.provider };
  return inSpan(deps.tracer, { name: 'credentials refresh', kind: 'internal', attributes }, async (span) => {
    const failure = await refreshAndStore(deps, subject, lease);
    if (failure !== undefined) span.fail(failure.kind);
  });
}

/** @returns why the credentials could not be refreshed */
async function refreshAndStore(
  deps: CredentialsDeps,
  subject: Subject,
  { owner, claim }: Pick<RefreshAttempt, 'owner' | 'claim'>,
): Promise<TokenFailure | undefined> {
  const { connection } = subject;
  using _heartbeat = new Heartbeat(deps, connection, owner);
  deps.refreshing.time.observe(claim.now);
  const attempt = { subject, connection, owner, claim, operation: beginOperation(deps, connection) };
  const outcome = await callTokenEndpoint(deps, attempt);
  if (!(outcome instanceof TokenFailure)) {
    await storeRenewal(deps, attempt, outcome);
    return undefined;
  }
  noteFailure(attempt.operation, outcome);
  await (outcome.kind === 'refused' ? handleRefusal(deps, attempt) : startBackOff(deps, attempt, outcome));
  return outcome;
}

function beginOperation({ activity }: CredentialsDeps, connection: Connection): Operation {
  const { environmentId, connectionId, providerConfigKey } = connection;
  return activity.begin({ type: 'refresh', operation: 'refresh', environmentId, connectionId, providerConfigKey });
}

function noteFailure(operation: Operation, { kind, status, message, summary, providerCode }: TokenFailure): void {
  operation.note('error', message, { kind, status, providerError: providerCode ?? null });
  const errorCode = providerCode ?? (kind === 'refused' ? 'invalid_credentials' : 'provider_unavailable');
  operation.describe({ summary, httpStatus: status, errorCode });
}

async function callTokenEndpoint(
  deps: CredentialsDeps,
  { subject, operation }: RefreshAttempt,
): Promise<StoredCredentials | TokenFailure> {
  try {
    const { time, times } = deps.refreshing;
    const order = { now: () => time.now(), timeoutMs: times.callMs };
    return await notingCalls(operation.note, () => callProvider(deps, subject, order));
  } catch (error) {
    if (error instanceof TokenFailure) return error;
    throw error;
  }
}

/** Writes the row first and informs others afterwards: until the row is written, the new token exists only in this process. */
async function storeRenewal(deps: CredentialsDeps, attempt: RefreshAttempt, credentials: StoredCredentials): Promise<void> {
  const { connection, operation, claim, subject, owner } = attempt;
  const found = foundIn(subject, credentials);
  const renewal = { owner, credentials, found, rule: dueRule(deps, { ...connection, credentials }) };
  const stored = await retryUntilWritten(deps, connection, () => storeAndNotify(deps, connection, renewal));
  killPoint('refresh-after-commit');
  if (stored === 'dropped') operation.note('warn', 'newer credentials were stored meanwhile, so these were discarded');
  if (stored === 'unproven') operation.note('warn', UNPROVEN);
  deps.counters.refresh(connection.provider, 'success');
  operation.end('success');
  await announce(deps, async () => {
    await announceChange(deps, deps.db, connection);
    if (claim.failures === 0 || !deps.refreshing.mayLift(connection.integrationId)) return;
    await liftBackOffs(deps.db, connection, renewal.rule);
    deps.signals.send(deps.db, 'refreshes');
  });
}

/** Returns configuration that the response contains, without secret fields: only authorizations change those. */
function foundIn({ input, connection }: Subject, credentials: StoredCredentials): JsonObject {
  const found = renewedFields(input, connection.credentials, credentials);
  return openPart(found, secretPart(input.definition.connection_config, found));
}

/**
 * Informs other instances after a row was written. They also find out by reading it, so a failure here must not look like a
 * failed refresh.
 */
async function announce({ log }: CredentialsDeps, notify: () => Promise<void>): Promise<void> {
  try {
    await notify();
  } catch (error) {
    log.warn('other instances could not be notified of a refresh', { error });
  }
}

/**
 * Retries a write until it succeeds or the process ends, however long the database is unreachable, since this process has the
 * only copy of a refreshed token. Repeating is harmless, since the compare-and-set succeeds only once.
 */
async function retryUntilWritten<T>(
  deps: CredentialsDeps,
  { connectionId, environmentId }: Connection,
  write: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await write();
    } catch (error) {
      if (deps.refreshing.isAbandoned) throw error;
      const waiting = { error, tries, connectionId, environmentId };
      if (tries % WARN_EVERY_TRIES === 1)
        deps.log.warn('the outcome of a refresh could not be stored yet; it is retried', waiting);
      await pause(backoffMs(tries, deps.random, STORE_BACK_OFF));
    }
  }
}

/**
 * Finds out why the provider refused. If the user is just authorizing again, the provider may have revoked the old grant for that
 * reason, so this first waits until that flow has ended. Then the row decides: if its generation is newer, the refusal means
 * nothing.
 */
async function handleRefusal(deps: CredentialsDeps, attempt: RefreshAttempt): Promise<void> {
  const { connection, operation, owner } = attempt;
  // The wait is bounded, since a flow whose instance died never ends.
  const end = deps.refreshing.time.now().getTime() + deps.refreshing.times.reauthorizationMs;
  const isOver = async ({ now }: { now: Date }) => now.getTime() > end || !(await isBeingAuthorized(deps.db, connection));
  const hasMoved = await waitForGeneration(deps.db, connection, isOver);
  const cause = causeOf(attempt);
  const isRecorded = !hasMoved && (await recordNeedsReauth(deps, connection, { cause, owner, operation }));
  deps.counters.refresh(connection.provider, isRecorded ? 'needs_reauth' : 'superseded');
  if (isRecorded) return;
  // The lease is still held if the same credentials were stored again meanwhile.
  await releaseLease(deps.db, connection, { owner, isUnknown: false });
  const summary = 'the refusal is ignored, since newer credentials exist or another refresh is in progress';
  operation.note('info', summary);
  operation.describe({ summary, httpStatus: undefined, errorCode: undefined });
  operation.end('success');
}

function causeOf({ claim, connection: { clientFingerprint }, subject }: RefreshAttempt): ReauthCause {
  if (claim.isUnknown) return 'rotation_response_lost';
  const isOtherClient = clientFingerprint !== null && clientFingerprint !== fingerprintOf(subject.input.client);
  return isOtherClient ? 'client_changed' : 'refused';
}

interface ReauthFacts {
  readonly cause: ReauthCause;
  readonly operation: Operation;
  readonly owner?: string;
}

/**
 * Records that the user must authorize again: writes the row, the log entry that it names, the notice and, if the connection was
 * not yet in this state, the auth webhook, in one transaction.
 *
 * @returns false when the generation has changed, or another call has taken over the lease
 */
export function recordNeedsReauth(
  deps: StoreDeps & OutboxDeps & RuleDeps & { readonly notices: Notices },
  connection: Connection,
  { cause, operation, owner }: ReauthFacts,
): Promise<boolean> {
  return withTransaction(deps.db, async (trx) => {
    const reauth = { cause, logId: operation.id, rule: dueRule(deps, connection), ...(owner !== undefined && { owner }) };
    if (!(await recordOutage(deps, trx, { connection, reauth }))) return false;
    operation.note('error', 'the user must authorize again', { cause });
    await operation.endIn(trx, 'failure', connection.connectionId);
    await announceChange(deps, trx, connection);
    return true;
  });
}

async function startBackOff(
  deps: CredentialsDeps,
  { connection, claim, operation, owner }: RefreshAttempt,
  failure: TokenFailure,
): Promise<void> {
  const { pressing, patient } = FIRST_BACK_OFF_MS;
  const isUnknown = maySpendToken(failure);
  const isPressing = isUnknown || isExpired({ expiresAt: connection.expiresAt, now: deps.refreshing.time.now() });
  const firstMs = isPressing ? pressing : patient;
  const ownMs = backoffMs(claim.failures + 1, deps.random, { firstMs, maxMs: MAX_BACK_OFF_MS });
  const askedMs = Math.min((failure.retryAfterSeconds ?? 0) * 1000, MAX_RETRY_AFTER_MS);
  const cause = degradedCause(failure, askedMs > ownMs);
  const rule = dueRule(deps, connection);
  const failed = { owner, waitMs: Math.max(ownMs, askedMs), cause, isUnknown, rule };
  await retryUntilWritten(deps, connection, () => backOffAndNotify(deps, connection, failed));
  deps.counters.refresh(connection.provider, cause);
  operation.end('failure');
  await announce(deps, () => announceChange(deps, deps.db, connection));
}
