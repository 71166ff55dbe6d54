import type { Config } from '../../config/schema.ts';
import { type Clock, systemClock } from '../../kit/clock.ts';
import { KeyRing } from '../../kit/key-ring.ts';
import { createLogger } from '../../kit/logger.ts';
import { checkBackups } from './backup.ts';
import { type DoctorCheck, fail, ok, warn } from './check.ts';
import { type DatabaseInspection, inspectDatabase, noDatabase } from './database.ts';
import { findInstallation, type Installation } from './installation.ts';
import { checkKeys } from './keys.ts';
import { checkNetwork } from './network.ts';
import { checkOutbound } from './outbound.ts';

const NAME = 'clock';
const NOTICEABLE_MS = 5_000;
/**
 * Difference between clocks, in milliseconds, from which calls fail: providers reject signed assertions whose time is off by
 * about this much.
 */
const HARMFUL_MS = 30_000;
const FIX = 'synchronize all machines by NTP';

/** Runs all checks except the one of the settings. Changes nothing, and creates no database. */
export async function runChecks(config: Config, clock: Clock = systemClock): Promise<readonly DoctorCheck[]> {
  const log = createLogger({ level: 'silent' });
  await using found = await findInstallation(config, log);
  const { database, keys } = found;
  await using view = typeof database === 'string' ? await inspectDatabase({ url: database, clock, log }) : noDatabase([database]);
  const ring = keys instanceof KeyRing ? keys : undefined;
  const network = await checkNetwork({ config, keys: ring, clock });
  return [
    found.disk,
    ...view.checks,
    await keysCheck(found, view),
    await checkBackups(config, clock),
    checkClocks(readings(view, network.serviceAheadMs)),
    await checkOutbound({
      allow: config.SVC_OUTBOUND_ALLOW,
      baseUrl: config.SVC_BASE_URL,
      proxy: config.SVC_OUTBOUND_PROXY,
    }),
    ...network.checks,
  ];
}

async function keysCheck({ keys }: Pick<Installation, 'keys'>, { db, isMigrated }: DatabaseInspection): Promise<DoctorCheck> {
  if (keys === undefined) return ok('encryption-keys', 'none yet: the first start creates them');
  if (!(keys instanceof KeyRing)) return keys;
  if (db !== undefined && isMigrated) return checkKeys(db, keys);
  return warn('encryption-keys', 'not checked: this needs a migrated database', 'fix the database first');
}

/** Returns the readings to check: the service's clock is compared with this machine's, and this machine's with the database's. */
function readings({ aheadMs }: DatabaseInspection, serviceAheadMs: number | undefined): readonly ClockReading[] {
  if (aheadMs === undefined) return [];
  const own = { name: 'this machine', aheadMs };
  return serviceAheadMs === undefined ? [own] : [own, { name: 'the service', aheadMs: aheadMs + serviceAheadMs }];
}

interface ClockReading {
  readonly name: string;
  /** How far the clock is ahead of the database's, in milliseconds. */
  readonly aheadMs: number;
}

/** Checks that the clocks agree: leases and expiry use the database's clock, sessions and signatures those of the machines. */
export function checkClocks(readings: readonly ClockReading[]): DoctorCheck {
  if (readings.length === 0) return warn(NAME, 'not checked: the database does not respond', 'fix the database first');
  const { name, aheadMs } = readings.reduce((one, other) => (other.aheadMs ** 2 > one.aheadMs ** 2 ? other : one));
  const offMs = Math.abs(aheadMs);
  if (offMs < NOTICEABLE_MS)
    return ok(NAME, `agrees with the database's (${readings.map((reading) => reading.name).join(', ')})`);
  const message = `the clock of ${name} is ${Math.round(offMs / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's`;
  return offMs < HARMFUL_MS ? warn(NAME, message, FIX) : fail(NAME, message, FIX);
}
