/**
 * Tells the time of day; passed in wherever the time matters, so that tests can set it. Durations are measured with
 * `performance.now()`.
 */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };

const DAY_MS = 24 * 60 * 60_000;

/** Returns the time that is this number of days, of 24 hours each, before `time`. */
export function daysBefore(time: Date, days: number): Date {
  return new Date(time.getTime() - days * DAY_MS);
}
