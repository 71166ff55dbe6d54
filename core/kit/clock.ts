/** The time of day, passed in wherever it matters so that tests can move it. Durations are measured with `performance.now()`. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

const DAY_MS = 24 * 60 * 60_000;

/** The time so many days of 24 hours before. */
export function daysBefore(time: Date, days: number): Date {
  return new Date(time.getTime() - days * DAY_MS);
}
