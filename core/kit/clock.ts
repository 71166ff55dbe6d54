/** The time of day, passed in wherever it matters so that tests can move it. Durations are measured with `performance.now()`. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
