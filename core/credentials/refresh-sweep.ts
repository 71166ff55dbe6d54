import pLimit from 'p-limit';
import { connectionById } from '../connections/connection-store.ts';
import { ServiceError } from '../errors.ts';
import { type DueConnection, dueConnections } from './due-store.ts';
import { type FreshDeps, freshCredentials } from './fresh.ts';

const BATCH = 200;
const PARALLEL = 20;

/** What a sweep did. */
export interface SweepTally {
  readonly seen: number;
  readonly failed: number;
}

/**
 * Renews what ends soon and what nobody renewed for a day, so that idle connections do not die of disuse. Run it every
 * minute or so;
 * two at once do no harm, the leases keep them apart.
 *
 * @param endsAfterMs no new batch is begun after this time; the next run goes on with what is still due
 */
export async function sweepRefreshes(deps: FreshDeps, endsAfterMs = 50_000): Promise<SweepTally> {
  const limit = pLimit(PARALLEL);
  const endsAt = performance.now() + endsAfterMs;
  let tally: SweepTally = { seen: 0, failed: 0 };
  for (let afterId = 0; performance.now() < endsAt; ) {
    const page = await dueConnections(deps.db, { marginSeconds: deps.refreshMarginSeconds, afterId, limit: BATCH });
    const results = await limit.map(page, (due) => renewDue(deps, due));
    tally = { seen: tally.seen + page.length, failed: tally.failed + results.filter((isRenewed) => !isRenewed).length };
    const last = page.at(-1);
    if (last === undefined || page.length < BATCH) break;
    afterId = last.id;
  }
  return tally;
}

/** Failures are in the connection's state and log already; a sweep goes on with the next. */
async function renewDue(deps: FreshDeps, due: DueConnection): Promise<boolean> {
  try {
    const connection = await connectionById(deps, due.environmentId, due.id);
    if (connection !== undefined) await freshCredentials(deps, connection, { force: due.isIdle });
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) deps.log.error('a connection could not be renewed', { error, connection: due.id });
    return false;
  }
}
