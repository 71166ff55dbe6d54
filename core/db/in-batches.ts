import type { Knex } from 'knex';

const BATCH = 5_000;
const PAGE = 1_000;

/** Repeats a bounded deletion until it removes less than its limit: locks are held only as long as one batch takes. */
export async function inBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  while ((await remove(BATCH)) === BATCH);
}

export interface AgedTable {
  readonly table: string;
  readonly column: string;
}

/**
 * Removes rows whose time in `column` is earlier than `before`, the oldest first. A row that somebody changes at the same time is
 * left.
 *
 * @param before undefined: now, by the database's clock
 * @returns the number of rows removed, at most `limit`
 */
export async function deleteOlder(
  db: Knex,
  { table, column }: AgedTable,
  { before, limit }: { readonly before: Date | undefined; readonly limit: number },
): Promise<number> {
  const { rowCount }: { rowCount: number } = await db.raw(
    `delete from :table: where ctid = any(array(
       select ctid from :table: where :column: < coalesce(:before::timestamptz, clock_timestamp())
       order by :column: limit :limit))`,
    { table, column, before: before ?? null, limit },
  );
  return rowCount;
}

/** Yields the IDs of all rows of a table, ascending, reading page by page. */
export async function* idsOf(db: Knex, table: string): AsyncGenerator<number> {
  for (let afterId = 0; ; ) {
    const page: number[] = await db(table).where('id', '>', afterId).orderBy('id').limit(PAGE).pluck('id');
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    afterId = last;
  }
}
