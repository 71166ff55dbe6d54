let sweepMs = 0;

/** Counts the time of `work` as time spent on looking for secrets. */
export async function countAsSweep<T>(work: () => PromiseLike<T>): Promise<T> {
  const begun = performance.now();
  try {
    return await work();
  } finally {
    sweepMs += performance.now() - begun;
  }
}

/** Milliseconds that this process has spent on looking for secrets. */
export function spentOnSweeps(): number {
  return sweepMs;
}
