import type { Knex } from 'knex';
import type { ClockCheck } from '../db/clock-check.ts';
import type { DiskSpace } from '../db/disk-space.ts';
import { ping } from '../db/server-facts-store.ts';

/** The readiness of the service, as `/ready` reports it. */
interface Readiness {
  readonly ready: boolean | 'degraded';
  readonly reasons: readonly string[];
}

interface ReadinessParts {
  readonly db: Knex;
  readonly clockCheck: Pick<ClockCheck, 'isOff'>;
  readonly space: Pick<DiskSpace, 'isFull'>;
}

/** Determines whether the service is ready. @param servesCalls whether proxied calls can be served without the database */
export async function readinessOf({ db, clockCheck, space }: ReadinessParts, servesCalls: () => boolean): Promise<Readiness> {
  if (space.isFull) return { ready: 'degraded', reasons: ['storage_full'] };
  if (servesCalls()) return { ready: 'degraded', reasons: [] };
  try {
    await ping(db);
    return clockCheck.isOff ? { ready: 'degraded', reasons: ['clock_off'] } : { ready: true, reasons: [] };
  } catch {
    return { ready: servesCalls() ? 'degraded' : false, reasons: ['database_unreachable'] };
  }
}
