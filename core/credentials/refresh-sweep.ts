import { connectionById } from '../connections/connection-store.ts';
import { ServiceError } from '../errors.ts';
import type { CredentialsDeps } from './deps.ts';
import { type DueConnection, dueConnections } from './due-store.ts';
import { freshCredentials } from './fresh.ts';
import { marginsOf } from './refresh-margin.ts';
import { type SweepLimits, type SweepTally, sweep } from './sweep.ts';

/**
 * Renews what ends soon and what nobody renewed for a day, so that idle connections do not die of disuse. Run it every minute
 * or so; two at once do no harm, the leases keep them apart.
 */
export function sweepRefreshes(deps: CredentialsDeps, limits: SweepLimits = {}): Promise<SweepTally> {
  const margins = marginsOf(deps);
  return sweep({
    ...limits,
    page: (range) => dueConnections(deps.db, { margins, ...range }),
    each: (due) => renewDue(deps, due),
    isClosed: () => deps.refreshing.isClosed,
  });
}

async function renewDue(deps: CredentialsDeps, due: DueConnection): Promise<boolean> {
  try {
    const connection = await connectionById(deps, due.environmentId, due.id);
    // A page may be a minute old; who renewed the connection meanwhile did what was due.
    const force = due.isIdle && connection?.generation === due.generation;
    if (connection !== undefined) await freshCredentials(deps, connection, { force });
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) deps.log.error('a connection could not be renewed', { error, connection: due.id });
    return false;
  }
}
