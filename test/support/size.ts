/**
 * True if `TEST_SIZE=long` asks for the sizes and durations of the reliability goals. Otherwise, each test takes only seconds.
 */
export const isLong = process.env['TEST_SIZE'] === 'long';

/** Returns `long`, a number or a duration, in runs with `TEST_SIZE=long`, and `ci` in all others. */
export function size(ci: number, long: number): number {
  return isLong ? long : ci;
}
