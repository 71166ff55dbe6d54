import pLimit from 'p-limit';
import { connectionById } from '../connections/connection-store.ts';
import { ServiceError } from '../errors.ts';
import { type DueConnection, dueConnections } from './due-store.ts';
import { type FreshDeps, freshCredentials } from './fresh.ts';

const BATCH = 200;
const PARALLEL = 20;

/** What a sweep did. */
interface SweepTally {
  readonly seen: number;
  readonly failed: number;
}

interface SweepLimits {
  /** No new batch is begun after this time; the next run goes on with what is still due. Default 50,000. */
  readonly endsAfterMs?: number;
  /** No new renewal is begun after it aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Renews what ends soon and what nobody renewed for a day, so that idle connections do not die of disuse. Run it every minute
 * or so; two at once do no harm, the leases keep them apart.
 */
export async function sweepRefreshes(deps: FreshDeps, { endsAfterMs = 50_000, signal }: SweepLimits = {}): Promise<SweepTally> {
  const limit = pLimit(PARALLEL);
  const endsAt = performance.now() + endsAfterMs;
  const isStopped = () => signal?.aborted === true || deps.refreshing.isClosed;
  let tally: SweepTally = { seen: 0, failed: 0 };
  for (let afterId = 0; performance.now() < endsAt && !isStopped(); ) {
    const page = await dueConnections(deps.db, { marginSeconds: deps.refreshMarginSeconds, afterId, limit: BATCH });
    const results = await limit.map(page, (due) => (isStopped() ? undefined : renewDue(deps, due)));
    tally = { seen: tally.seen + page.length, failed: tally.failed + results.filter((isRenewed) => isRenewed === false).length };
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
    // A page may be a minute old; who renewed the connection meanwhile did what was due.
    const force = due.isIdle && connection?.generation === due.generation;
    if (connection !== undefined) await freshCredentials(deps, connection, { force });
    return true;
  } catch (error) {
    if (!(error instanceof ServiceError)) deps.log.error('a connection could not be renewed', { error, connection: due.id });
    return false;
  }
}
