/** `TEST_SIZE=long` asks for the sizes and durations of the reliability goals; otherwise a test stays within seconds. */
export const isLong = process.env['TEST_SIZE'] === 'long';

/** How many, or how long: one number for every run, another for the long one. */
export function size(ci: number, long: number): number {
  return isLong ? long : ci;
}

/** All cases in a long run, and otherwise the first of them, where each takes seconds and they differ little. */
export function firstOrAll<T>(cases: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  return isLong ? cases : Object.fromEntries(Object.entries(cases).slice(0, 1));
}
