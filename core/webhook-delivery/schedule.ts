const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * The waits after the first attempt, the second, and so on: 75 and a half hours in total, so that an application may be down for
 * a weekend.
 */
const WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * Returns how long to wait before the next attempt.
 *
 * @param tries attempts so far, from 1
 * @param random in [0, 1); passed in so that tests can fix it
 * @returns milliseconds, up to 20 % more than the schedule so that a recovered receiver is not flooded; undefined: no attempt is
 *   left
 */
export function retryDelay(tries: number, random: () => number): number | undefined {
  const wait = WAITS_MS[tries - 1];
  return wait === undefined ? undefined : Math.round(wait * (1 + JITTER * random()));
}

/**
 * Reads the wait that a receiver requests with `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3).
 *
 * @returns milliseconds from `now`, a day at most; undefined if none is requested
 */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const ms = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - now.getTime();
  return ms > 0 ? Math.min(ms, MAX_RETRY_AFTER_MS) : undefined;
}
