import pLimit from 'p-limit';

const BATCH = 200;
const PARALLEL = 20;

/** What a sweep did. */
export interface SweepTally {
  readonly seen: number;
  readonly failed: number;
}

export interface SweepLimits {
  /** No new batch is begun after this time; the next run goes on with what is still due. Default 50,000. */
  readonly endsAfterMs?: number;
  /** No new connection is begun with after it aborts. */
  readonly signal?: AbortSignal;
}

interface Sweep<T> extends SweepLimits {
  /** What is due, in the order of IDs. */
  readonly page: (range: { readonly afterId: number; readonly limit: number }) => Promise<readonly T[]>;
  /** @returns false for a failure, which is in the connection's state and log already: the sweep goes on with the next */
  readonly each: (due: T) => Promise<boolean>;
  readonly isClosed: () => boolean;
}

/** Goes through what is due, page by page, a few at a time. */
export async function sweep<T extends { readonly id: number }>(plan: Sweep<T>): Promise<SweepTally> {
  const limit = pLimit(PARALLEL);
  const endsAt = performance.now() + (plan.endsAfterMs ?? 50_000);
  const isStopped = () => plan.signal?.aborted === true || plan.isClosed();
  let tally: SweepTally = { seen: 0, failed: 0 };
  for (let afterId = 0; performance.now() < endsAt && !isStopped(); ) {
    const page = await plan.page({ afterId, limit: BATCH });
    const results = await limit.map(page, (due) => (isStopped() ? undefined : plan.each(due)));
    tally = { seen: tally.seen + page.length, failed: tally.failed + results.filter((isDone) => isDone === false).length };
    const last = page.at(-1);
    if (last === undefined || page.length < BATCH) break;
    afterId = last.id;
  }
  return tally;
}
