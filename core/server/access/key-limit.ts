import { ServiceError } from '../../errors.ts';
import type { FixedWindow, RateLimitResult } from '../../kit/fixed-window.ts';
import type { Caller } from './caller.ts';

/** The names of the headers about the rate limit of an API key; error responses keep them. */
export const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/**
 * Counts a request of an API key against its limit. Connect session tokens are not limited: they allow little, and belong to end
 * users.
 *
 * @param setLimitHeaders gets the headers that every response to the request carries
 * @throws ServiceError `too_many_request` above the limit
 */
export function consume(keyLimit: FixedWindow, caller: Caller, setLimitHeaders: (headers: readonly string[]) => void): void {
  if (!('keyId' in caller)) return;
  const result = keyLimit.consume(caller.keyId);
  setLimitHeaders(headersOf(result));
  const { retryAfterSeconds, limit } = result;
  if (retryAfterSeconds === undefined) return;
  throw new ServiceError('too_many_request', `this API key may send ${limit} requests a minute`, { retryAfterSeconds });
}

/** Returns header names and values in turn. The reset is in seconds since 1970. */
function headersOf({ limit, remaining, resetsAt }: RateLimitResult): readonly string[] {
  const values = [limit, remaining, Math.ceil(resetsAt.getTime() / 1_000)];
  return ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].flatMap((name, index) => [
    name,
    String(values[index]),
  ]);
}
