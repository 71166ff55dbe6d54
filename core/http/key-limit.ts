import type { Taken } from '../environments/key-limit.ts';
import { ServiceError } from '../errors.ts';
import type { Caller } from './caller.ts';

export interface KeyLimiter {
  take(keyId: number): Taken;
}

/** As error answers keep them. */
export const LIMIT_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/**
 * Counts a request of an API key. Connect session tokens count for nothing: what they may do is little, and is the end user's.
 *
 * @param tell gets the headers of the answer, whatever it will be
 * @throws ServiceError `too_many_request`
 */
export function takeOne(limiter: KeyLimiter, caller: Caller, tell: (headers: readonly string[]) => void): void {
  if (caller.kind !== 'environment' && caller.kind !== 'account') return;
  const taken = limiter.take(caller.keyId);
  tell(headersOf(taken));
  const { retryAfterSeconds, limit } = taken;
  if (retryAfterSeconds === undefined) return;
  throw new ServiceError('too_many_request', `this API key may send ${limit} requests a minute`, { retryAfterSeconds });
}

/** Names and values in turn. The reset is a time of day in seconds since 1970. */
function headersOf({ limit, remaining, resetsAt }: Taken): readonly string[] {
  const values = [limit, remaining, Math.ceil(resetsAt.getTime() / 1_000)];
  return ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].flatMap((name, index) => [
    name,
    String(values[index]),
  ]);
}
