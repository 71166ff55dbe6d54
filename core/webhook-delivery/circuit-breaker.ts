import type { AttemptOutcome } from './attempt.ts';
import { type LockedTarget, MAX_HOLD_SECONDS } from './target-store.ts';

/**
 * Number of consecutive failures after which the circuit breaker of a target opens: nothing is sent for a while, and then one
 * webhook at a time probes the target, until one succeeds.
 */
export const FAILURES_TO_OPEN = 10;
const OPEN_SECONDS = 60;

export function isProbed({ failures }: LockedTarget): boolean {
  return failures >= FAILURES_TO_OPEN;
}

/**
 * Returns the target after a success, which closes its breaker. If the breaker was not open, an earlier `Retry-After` stays in
 * effect.
 */
export function afterSuccess(target: LockedTarget): LockedTarget {
  return { ...target, failures: 0, holdSeconds: isProbed(target) ? 0 : target.holdSeconds };
}

/** Returns the target after a failure. A fault of the service does not count as a failure of the target. */
export function afterFailure(target: LockedTarget, { result, retryAfterMs = 0 }: AttemptOutcome): LockedTarget {
  if (result === 'fault') return target;
  const failed = { ...target, failures: target.failures + 1 };
  const openSeconds = isProbed(failed) ? OPEN_SECONDS : 0;
  const requestedSeconds = Math.min(retryAfterMs / 1_000, MAX_HOLD_SECONDS);
  return { ...failed, holdSeconds: Math.max(target.holdSeconds, openSeconds, requestedSeconds) };
}
