/**
 * Computes how long to wait after a failure: the time doubles with each failure, up to a limit.
 *
 * @param failures number of failures in a row so far, from 1
 * @param random returns a number in [0, 1); passed in so that tests can fix it
 * @returns milliseconds, chosen at random between half of the doubled time and all of it, so that many waiters do not retry
 *   simultaneously; never more than `maxMs`
 */
export function backoffMs(
  failures: number,
  random: () => number,
  limits: { readonly firstMs: number; readonly maxMs: number },
): number {
  const doubled = limits.firstMs * 2 ** Math.max(failures - 1, 0);
  const longest = Math.min(doubled, limits.maxMs);
  return Math.round(longest * (0.5 + random() / 2));
}
