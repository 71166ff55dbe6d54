/** Maximum number of rows, more than anybody scrolls through. A list that live rows make longer is read again from its start. */
export const MAX_ROWS = 500;

interface Row {
  readonly id: string;
  /** The time in ISO 8601, by which lists are ordered, newest first. */
  readonly created_at: string;
}

export interface LiveList<R extends Row> {
  readonly rows: readonly R[];
  /** Rows that have arrived but are not shown yet. */
  readonly waiting: readonly R[];
}

interface Arrival<R extends Row> {
  /**
   * The live rows, which a stream has brought, in the order of arrival. A row that arrives again has changed: the last one
   * counts.
   */
  readonly news: readonly R[];
  /** True when new rows are shown immediately. */
  readonly isOpen: boolean;
  /** True when there are older rows that were not loaded. */
  readonly hasMore: boolean;
}

/** Merges live rows into the rows of a list, or into the waiting ones. A known row is replaced in its position. */
export function mergeLive<R extends Row>({ rows, waiting }: LiveList<R>, { news, isOpen, hasMore }: Arrival<R>): LiveList<R> {
  const latest = new Map(news.map((row) => [row.id, row]));
  const known = new Set([...rows, ...waiting].map(({ id }) => id));
  // A row older than all loaded ones is not added now, since it comes with the next page.
  const oldest = hasMore ? (rows.at(-1)?.created_at ?? '') : '';
  const added = [...latest.values()].filter((row) => !known.has(row.id) && row.created_at >= oldest);
  const isShown = isOpen && waiting.length === 0;
  return {
    rows: merged(rows, latest, isShown ? added : []),
    waiting: merged(waiting, latest, isShown ? [] : added),
  };
}

/** Merges rows. Unchanged ones stay the same objects, so that they need not be rendered again. */
function merged<R extends Row>(rows: readonly R[], latest: ReadonlyMap<string, R>, added: readonly R[]): readonly R[] {
  const current = rows.map((row) => latest.get(row.id) ?? row);
  return added.length === 0 ? current : [...added, ...current].sort(byAge);
}

function byAge(a: Row, b: Row): number {
  return compare(b.created_at, a.created_at) || compare(b.id, a.id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
