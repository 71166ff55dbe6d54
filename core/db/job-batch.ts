import type { JobResult, JobWithMetadata } from 'pg-boss';

interface BatchWork<T> {
  readonly handle: (jobs: readonly T[]) => Promise<void>;
  /** Writes at once that these are done. */
  readonly complete: (ids: string[]) => Promise<unknown>;
}

/**
 * Handles jobs together, but each alone after their handler failed or their process died: one that does so always must not
 * take the others with it.
 */
export async function runBatch<T>(jobs: readonly JobWithMetadata<T>[], work: BatchWork<T>): Promise<JobResult[]> {
  const fresh = jobs.filter(({ retryCount }) => retryCount === 0);
  const tried = inTurns(jobs.filter(({ retryCount }) => retryCount > 0));
  const together = fresh.length === 0 || (await tryJobs(fresh, work)).every(({ status }) => status === 'completed');
  const results = together ? fresh.map(({ id }) => completed(id)) : [];
  for (const job of together ? tried : [...tried, ...fresh]) results.push(...(await tryJobs([job], work)));
  return results;
}

async function tryJobs<T>(jobs: readonly JobWithMetadata<T>[], { handle, complete }: BatchWork<T>): Promise<JobResult[]> {
  const ids = jobs.map(({ id }) => id);
  try {
    await handle(jobs.map(({ data }) => data));
  } catch (error) {
    return ids.map((id) => ({ id, status: 'failed', output: error }));
  }
  // Not left to the end of the batch, which another job may prevent.
  await complete(ids);
  return ids.map(completed);
}

/**
 * Forwards and backwards by turns: when the process dies twice at the same job, those before it had their turn once, and those
 * after it.
 */
function inTurns<T>(jobs: readonly JobWithMetadata<T>[]): readonly JobWithMetadata<T>[] {
  const [first] = jobs;
  return (first?.retryCount ?? 0) % 2 === 0 ? jobs.toReversed() : jobs;
}

function completed(id: string): JobResult {
  return { id, status: 'completed' };
}
