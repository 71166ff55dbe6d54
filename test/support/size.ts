/** `TEST_SIZE=long` asks for the sizes and durations of the reliability goals; otherwise a test stays within seconds. */
export const isLong = process.env['TEST_SIZE'] === 'long';

/** How many, or how long: one number for every run, another for the long one. */
export function size(ci: number, long: number): number {
  return isLong ? long : ci;
}
