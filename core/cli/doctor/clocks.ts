import { type Check, fail, ok, warn } from './check.ts';

const NAME = 'clock';
const NOTICEABLE_MS = 5_000;
/** Providers reject signed assertions whose time is off by about this much. */
const HARMFUL_MS = 30_000;
const FIX = 'synchronize all machines by NTP';

export interface ClockReading {
  readonly name: string;
  /** How far it is ahead of the database's. */
  readonly aheadMs: number;
}

/** Leases and expiry use the database's clock, sessions and signatures the others: they should agree. */
export function checkClocks(readings: readonly ClockReading[]): Check {
  if (readings.length === 0) return warn(NAME, 'not checked: the database does not respond', 'fix the database first');
  const { name, aheadMs } = readings.reduce((one, other) => (other.aheadMs ** 2 > one.aheadMs ** 2 ? other : one));
  const offMs = Math.abs(aheadMs);
  if (offMs < NOTICEABLE_MS)
    return ok(NAME, `agrees with the database's (${readings.map((reading) => reading.name).join(', ')})`);
  const message = `the clock of ${name} is ${Math.round(offMs / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`;
  return offMs < HARMFUL_MS ? warn(NAME, message, FIX) : fail(NAME, message, FIX);
}
