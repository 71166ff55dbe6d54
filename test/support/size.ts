/** `TEST_SIZE=long` asks for the sizes and durations of the reliability goals; otherwise a test stays within seconds. */
export const isLong = process.env['TEST_SIZE'] === 'long';

/** Returns a number or a duration: `long` for runs with `TEST_SIZE=long`, otherwise `ci`. */
export function size(ci: number, long: number): number {
  return isLong ? long : ci;
}
