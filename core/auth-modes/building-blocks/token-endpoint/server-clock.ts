/** The headers of a response, and the time when its request was sent. */
export interface Received {
  readonly receivedAt: Date;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Minimum clock difference that is corrected, in milliseconds. Smaller ones cannot be measured: `Date` has whole seconds, and a
 * response takes some time.
 */
const LEAST_MS = 60_000;
/**
 * Maximum clock difference that is corrected, in milliseconds. A `Date` that differs by more does not come from a clock that is
 * merely wrong.
 */
const MOST_MS = 24 * 3_600_000;

/**
 * Converts a point in time from the server's clock to the service's. The `Date` of the response shows the server's clock (RFC
 * 9110 §6.6.1).
 */
export function byOurClock(time: Date, { receivedAt, headers }: Received): Date {
  const aheadMs = Date.parse(headers['date'] ?? '') - receivedAt.getTime();
  const isWrong = Math.abs(aheadMs) >= LEAST_MS && Math.abs(aheadMs) <= MOST_MS;
  return isWrong ? new Date(time.getTime() - aheadMs) : time;
}
