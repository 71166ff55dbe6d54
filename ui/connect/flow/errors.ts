import { ApiError } from '../../kit/api-error.ts';
import { failureOf } from './flow-screens.ts';
import type { Failure, Screen } from './state.ts';

/** Seconds to wait after too many attempts, if the service does not say how long. */
const WAIT_SECONDS = 60;

/** Screens for error codes that end the window, not only the attempt. */
const ENDS: Readonly<Record<string, Screen>> = {
  session_expired: { at: 'ended', reason: 'expired' },
  session_used: { at: 'ended', reason: 'used' },
  session_missing: { at: 'ended', reason: 'missing' },
  origin_not_allowed: { at: 'not_allowed' },
};

export function endOf(code: string): Screen | undefined {
  return Object.hasOwn(ENDS, code) ? ENDS[code] : undefined;
}

/** Returns whether an account may be connected although the attempt failed. */
export function isUnsettled(code: string): boolean {
  return code === 'state_mismatch' || code === 'outcome_unknown';
}

export function codeOf(error: unknown): string {
  return error instanceof ApiError ? error.code : 'server_error';
}

/** Converts the error of a call to the failure of an attempt. */
export function failureOfError(error: unknown, now: Date): Failure {
  const code = codeOf(error);
  if (!(error instanceof ApiError)) return failureOf(code, now);
  const seconds = error.retryAfter ?? (code === 'rate_limited' ? WAIT_SECONDS : null);
  const retryAt = seconds === null ? null : new Date(now.getTime() + seconds * 1_000);
  return failureOf(code, now, { logId: error.requestId, retryAt });
}
