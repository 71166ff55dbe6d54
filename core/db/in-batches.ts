const BATCH = 5_000;

/** Repeats a bounded deletion until it finds less than it may take: each batch holds its locks for a moment only. */
export async function inBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  while ((await remove(BATCH)) === BATCH);
}
