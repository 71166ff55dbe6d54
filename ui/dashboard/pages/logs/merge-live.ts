/** Longer than anybody scrolls: a list that grows beyond it by what comes live is read again from its beginning. */
export const MAX_ROWS = 500;

interface Row {
  readonly id: string;
  /** ISO 8601; lists are ordered by it, newest first. */
  readonly created_at: string;
}

export interface LiveList<R extends Row> {
  readonly rows: readonly R[];
  /** What has come and is not shown yet. */
  readonly waiting: readonly R[];
}

interface Arrival<R extends Row> {
  /** In the order in which they came; one that came again is what it has become. */
  readonly news: readonly R[];
  /** Whether they are shown at once. */
  readonly isOpen: boolean;
  /** Whether there are older rows that were not loaded. */
  readonly hasMore: boolean;
}

/** Puts what has come live among the rows of a list, or among those that wait; a known row is replaced where it is. */
export function mergeLive<R extends Row>({ rows, waiting }: LiveList<R>, { news, isOpen, hasMore }: Arrival<R>): LiveList<R> {
  const latest = new Map(news.map((row) => [row.id, row]));
  const known = new Set([...rows, ...waiting].map(({ id }) => id));
  // What is older than all that was loaded comes with the next page.
  const oldest = hasMore ? (rows.at(-1)?.created_at ?? '') : '';
  const added = [...latest.values()].filter((row) => !known.has(row.id) && row.created_at >= oldest);
  const isShown = isOpen && waiting.length === 0;
  return {
    rows: merged(rows, latest, isShown ? added : []),
    waiting: merged(waiting, latest, isShown ? [] : added),
  };
}

/** Keeps the rows that have not changed as they are, so that they need not be drawn again. */
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
