import type { Knex } from 'knex';
import type { Outcome, Sending } from './attempt.ts';
import { countFailures, insertAttempts, type NewAttempt } from './attempt-store.ts';
import { type AfterFailure, endAttempt, markDelivered } from './message-store.ts';
import { noteMessage } from './notes.ts';
import { pause } from './pause.ts';
import { retryDelay } from './schedule.ts';
import { FAILURES_TO_STOP, MAX_FAULTS, type TakeDeps } from './take.ts';
import { type LockedTarget, MAX_HOLD_SECONDS, setFailures } from './target-store.ts';
import { wakeAfter } from './wake.ts';

const STOP_SECONDS = 60;
const GONE = 410;

/** An attempt and what came of it. */
export interface Concluded {
  readonly sending: Sending;
  readonly outcome: Outcome;
}

/**
 * Writes down how attempts at a target ended and what follows. The transaction holds the target's lock.
 *
 * @returns the target as it is now
 */
export async function settle(
  deps: TakeDeps,
  trx: Knex.Transaction,
  { target, concluded }: { readonly target: LockedTarget; readonly concluded: readonly Concluded[] },
): Promise<LockedTarget> {
  if (concluded.length === 0) return target;
  await insertAttempts(trx, concluded.map(attemptOf));
  const delivered = concluded.filter(({ outcome }) => outcome.result === 'delivered');
  await markDelivered(
    trx,
    delivered.map(({ sending }) => sending.message.id),
  );
  let now = target;
  for (const one of concluded)
    now = delivered.includes(one) ? afterSuccess(now) : await settleFailure(deps, trx, { target: now, one });
  if (now.failures !== target.failures || now.holdSeconds !== target.holdSeconds) await setFailures(trx, now);
  return now;
}

function attemptOf({ sending: { message, url }, outcome: { status, durationMs, error } }: Concluded): NewAttempt {
  return { message_id: message.id, url, status, duration_ms: durationMs, error, is_replay: message.isReplay };
}

async function settleFailure(
  deps: TakeDeps,
  trx: Knex.Transaction,
  { target, one }: { readonly target: LockedTarget; readonly one: Concluded },
): Promise<LockedTarget> {
  const {
    sending: { message },
    outcome,
  } = one;
  const isGone = outcome.status === GONE;
  const after = target.paused || isGone ? { status: 'paused' as const } : await nextTry(deps, trx, one);
  await endAttempt(trx, message, after);
  if (after.waitMs !== undefined) await wakeAfter(deps, trx, { targetId: target.id, waitMs: after.waitMs });
  if (after.status === 'failed') noteMessage(deps, message, 'given up: it failed too often');
  if (isGone) await pause(deps, trx, { target, cause: 'it answered 410 Gone' });
  return { ...afterFailure(target, outcome), paused: target.paused || isGone };
}

async function nextTry(
  deps: TakeDeps,
  trx: Knex.Transaction,
  { sending: { message }, outcome: { result, error, retryAfterMs = 0 } }: Concluded,
): Promise<AfterFailure> {
  const isFault = result === 'fault' && error !== null;
  if (isFault && (await countFailures(trx, message.id, [error])) >= MAX_FAULTS) return { status: 'failed' };
  const delayMs = retryDelay(message.tries, deps.random);
  return delayMs === undefined ? { status: 'failed' } : { status: 'pending', waitMs: Math.max(delayMs, retryAfterMs) };
}

/** What the receiver asked for with `Retry-After` holds on. */
function afterSuccess(target: LockedTarget): LockedTarget {
  return { ...target, failures: 0, holdSeconds: target.failures >= FAILURES_TO_STOP ? 0 : target.holdSeconds };
}

/** A fault of ours says nothing of the target. */
function afterFailure(target: LockedTarget, { result, retryAfterMs = 0 }: Outcome): LockedTarget {
  if (result === 'fault') return target;
  const failures = target.failures + 1;
  const stop = failures >= FAILURES_TO_STOP ? STOP_SECONDS : 0;
  const asked = Math.min(retryAfterMs / 1_000, MAX_HOLD_SECONDS);
  return { ...target, failures, holdSeconds: Math.max(target.holdSeconds, stop, asked) };
}
