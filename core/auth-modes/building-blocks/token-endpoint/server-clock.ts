/** The headers of a response, and when its request was sent. */
export interface Received {
  readonly receivedAt: Date;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Clock differences below this are not corrected, in milliseconds: `Date` has whole seconds, and a response takes a while. */
const LEAST_MS = 60_000;
/**
 * Clock differences above this are not corrected, in milliseconds: such a `Date` is not from a clock that is merely set wrongly.
 */
const MOST_MS = 24 * 3_600_000;

/** Converts a point in time from the server's clock, which its `Date` shows (RFC 9110 §6.6.1), to the service's clock. */
export function byOurClock(time: Date, { receivedAt, headers }: Received): Date {
  const aheadMs = Date.parse(headers['date'] ?? '') - receivedAt.getTime();
  const isWrong = Math.abs(aheadMs) >= LEAST_MS && Math.abs(aheadMs) <= MOST_MS;
  return isWrong ? new Date(time.getTime() - aheadMs) : time;
}
