import type { Knex } from 'knex';
import type { ClockCheck } from '../db/clock-check.ts';

/** As `/ready` tells it. */
interface Readiness {
  readonly ready: boolean | 'degraded';
  readonly reasons: readonly string[];
}

/** @param servesCalls whether proxied calls can be served without the database */
export async function readinessOf(
  { db, clockCheck }: { readonly db: Knex; readonly clockCheck: Pick<ClockCheck, 'isOff'> },
  servesCalls: () => boolean,
): Promise<Readiness> {
  if (servesCalls()) return { ready: 'degraded', reasons: [] };
  try {
    await db.raw('select 1');
    return clockCheck.isOff ? { ready: 'degraded', reasons: ['clock_off'] } : { ready: true, reasons: [] };
  } catch {
    return { ready: servesCalls() ? 'degraded' : false, reasons: ['database_unreachable'] };
  }
}
