/** A response, and when its request was sent. */
export interface Received {
  readonly receivedAt: Date;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `Date` has whole seconds, and a response takes a while. */
const LEAST_MS = 60_000;
/** More is no clock that is set wrongly. */
const MOST_MS = 24 * 3_600_000;

/** A point in time by the server's clock, which its `Date` tells (RFC 9110 §6.6.1), by ours. */
export function byOurClock(time: Date, { receivedAt, headers }: Received): Date {
  const aheadMs = Date.parse(headers['date'] ?? '') - receivedAt.getTime();
  const isWrong = Math.abs(aheadMs) >= LEAST_MS && Math.abs(aheadMs) <= MOST_MS;
  return isWrong ? new Date(time.getTime() - aheadMs) : time;
}
