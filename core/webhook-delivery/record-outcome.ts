import type { Knex } from 'knex';
import type { AttemptOutcome, MessageAttempt } from './attempt.ts';
import { countFailures, insertAttempts, type NewAttempt } from './attempt-store.ts';
import { afterFailure, afterSuccess } from './circuit-breaker.ts';
import { MAX_FAULTS } from './claim-due.ts';
import type { WebhookDeliveryDeps } from './deps.ts';
import { type AfterFailure, bringForward, endAttempt, markDelivered } from './message-store.ts';
import { noteAttempt, noteMessage } from './notes.ts';
import { pause } from './pause-target.ts';
import { retryDelay } from './schedule.ts';
import { type LockedTarget, setFailures } from './target-store.ts';

const GONE = 410;

export interface FinishedAttempt {
  readonly attempt: MessageAttempt;
  readonly outcome: AttemptOutcome;
}

/**
 * Records the outcomes of attempts at a target, and updates webhooks and target. The transaction must hold the target's lock.
 *
 * @returns the target in its new state
 */
export async function recordOutcomes(
  deps: WebhookDeliveryDeps,
  trx: Knex.Transaction,
  { target, finished }: { readonly target: LockedTarget; readonly finished: readonly FinishedAttempt[] },
): Promise<LockedTarget> {
  if (finished.length === 0) return target;
  await insertAttempts(trx, finished.map(attemptRow));
  const { environmentId } = target;
  for (const { outcome } of finished)
    deps.activity.count('delivery', { environmentId, status: outcome.result === 'delivered' ? 'success' : 'failure' });
  const delivered = finished.filter(({ outcome }) => outcome.result === 'delivered');
  await markDelivered(
    trx,
    delivered.map(({ attempt }) => attempt.message.id),
  );
  for (const { attempt, outcome } of delivered) noteAttempt(deps, attempt.message, { outcome });
  let now = target;
  let hasRecovered = false;
  for (const one of finished) {
    hasRecovered ||= now.failures > 0 && delivered.includes(one);
    now = delivered.includes(one) ? afterSuccess(now) : await recordFailure(deps, trx, { target: now, one });
  }
  if (hasRecovered) await bringForward(trx, target.id);
  if (now.failures !== target.failures || now.holdSeconds !== target.holdSeconds) await setFailures(trx, now);
  return now;
}

function attemptRow({ attempt: { message, url }, outcome: { status, durationMs, error } }: FinishedAttempt): NewAttempt {
  return { message_id: message.id, url, status, duration_ms: durationMs, error, is_replay: message.isReplay };
}

async function recordFailure(
  deps: WebhookDeliveryDeps,
  trx: Knex.Transaction,
  { target, one }: { readonly target: LockedTarget; readonly one: FinishedAttempt },
): Promise<LockedTarget> {
  const {
    attempt: { message },
    outcome,
  } = one;
  const isGone = outcome.status === GONE;
  const after = target.paused || isGone ? { status: 'paused' as const } : await nextAttempt(deps, trx, one);
  await endAttempt(trx, message, after);
  if (after.status === 'failed') noteMessage(deps, message, { what: 'was given up because too many attempts failed', outcome });
  else noteAttempt(deps, message, { outcome, after });
  if (isGone) await pause(deps, trx, { target, cause: 'it responded with 410 Gone' });
  return { ...afterFailure(target, outcome), paused: target.paused || isGone };
}

async function nextAttempt(
  deps: WebhookDeliveryDeps,
  trx: Knex.Transaction,
  { attempt: { message }, outcome: { result, error, retryAfterMs = 0 } }: FinishedAttempt,
): Promise<AfterFailure> {
  const isFault = result === 'fault' && error !== null;
  if (isFault && (await countFailures(trx, message.id, [error])) >= MAX_FAULTS) return { status: 'failed' };
  const delayMs = retryDelay(message.tries, deps.random);
  return delayMs === undefined ? { status: 'failed' } : { status: 'pending', waitMs: Math.max(delayMs, retryAfterMs) };
}
