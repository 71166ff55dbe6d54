let sweepMs = 0;

/** Runs `work` and counts the time that it takes as spent on the search for leaked secrets. */
export async function countAsSweep<T>(work: () => PromiseLike<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    sweepMs += performance.now() - begun;
  }
}

/** Returns the milliseconds that this process has spent on the search for leaked secrets. */
export function spentOnSweeps(): number {
  return sweepMs;
}
