import { type Check, fail, ok, warn } from './check.ts';

const NAME = 'clock';
const NOTICEABLE_MS = 5_000;
/** Providers refuse signed assertions that are dated wrong by about as much. */
const HARMFUL_MS = 30_000;
const FIX = 'let all machines keep their time by NTP';

export interface ClockReading {
  readonly whose: string;
  /** How far it is ahead of the database's. */
  readonly aheadMs: number;
}

/** The database's clock decides over leases and expiry, the others over sessions and signatures: they should agree. */
export function checkClocks(readings: readonly ClockReading[]): Check {
  if (readings.length === 0) return warn(NAME, 'was not looked at: no database answers', 'mend the database first');
  const { whose, aheadMs } = readings.reduce((one, other) => (other.aheadMs ** 2 > one.aheadMs ** 2 ? other : one));
  const offMs = Math.abs(aheadMs);
  if (offMs < NOTICEABLE_MS)
    return ok(NAME, `agrees with the database's (${readings.map((reading) => reading.whose).join(', ')})`);
  const message = `the clock of ${whose} is ${Math.round(offMs / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`;
  return offMs < HARMFUL_MS ? warn(NAME, message, FIX) : fail(NAME, message, FIX);
}
