import type { Knex } from 'knex';

const LIMITS = {
  /** The number of words with the prefix of a term from which the term is common. */
  common: 20_000,
  /** The number of connections that are examined if all terms are common: a page is in them if a twentieth is found. */
  examined: 1_000,
};
/** Sorts after every character that continues a prefix. */
const LAST = '\u{10FFFF}';

/** A search. The connections among which it looks are the rows of a query with a column `id`. */
interface Search {
  readonly environmentId: number;
  /** At least one. */
  readonly terms: readonly string[];
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
}

/** Builds the query for the connections that pass the other filters of a search; it may be called several times. */
type Passing = () => Knex.QueryBuilder;

/**
 * Returns the row IDs of one page of the connections that have a word for each term. The words of a rare term are few enough to
 * be sorted. If all terms are common, the page is likely to be found among the connections that come first.
 */
export async function searchPage(db: Knex, search: Search, passing: Passing, limits = LIMITS): Promise<number[]> {
  const common: string[] = [];
  const rare: string[] = [];
  for (const term of search.terms) ((await isCommon(db, search.environmentId, term, limits.common)) ? common : rare).push(term);
  if (rare.length > 0) return byWords(db, search, { read: rare, checked: common }, passing);
  return (await amongFirst(db, search, passing, limits.examined)) ?? byWords(db, search, { read: common, checked: [] }, passing);
}

async function isCommon(db: Knex, environmentId: number, term: string, common: number): Promise<boolean> {
  const some = wordsOf(db, environmentId, term).limit(common).select('connection_id');
  const row = await db.from(some.as('some')).first<{ count: number }>(db.raw('count(*)::int as count'));
  return row.count === common;
}

/** Looks for the page among the first connections. @returns undefined if they do not fill it and others follow them */
async function amongFirst(
  db: Knex,
  { terms, order, limit, offset }: Search,
  passing: Passing,
  examined: number,
): Promise<number[] | undefined> {
  const first = passing().orderBy('id', order).limit(examined).as('first');
  const found = db.from(first).orderBy('id', order).limit(limit).offset(offset);
  for (const term of terms) found.whereRaw(...hasWord('first.id', term));
  const ids: number[] = await found.pluck('id');
  if (ids.length === limit) return ids;
  const { count } = await db.from(first).first<{ count: number }>(db.raw('count(*)::int as count'));
  return count < examined ? ids : undefined;
}

/**
 * Reads the words of some terms, and checks the others for each connection that has these. The connections are looked up in their
 * order until the page is full: `limit 1` keeps the planner from looking up all of them before it sorts.
 */
function byWords(
  db: Knex,
  { environmentId, order, limit, offset }: Search,
  { read, checked }: { readonly read: readonly string[]; readonly checked: readonly string[] },
  passing: Passing,
): Promise<number[]> {
  const [first = '', ...more] = read;
  const both = wordsOf(db, environmentId, first).select('connection_id');
  for (const term of more) both.intersect(wordsOf(db, environmentId, term).select('connection_id'));
  const sorted = db.from(both.as('words')).groupBy('connection_id').orderBy('connection_id', order).select('connection_id');
  const passed = passing().whereRaw('id = words.connection_id').limit(1);
  for (const term of checked) passed.whereRaw(...hasWord('words.connection_id', term));
  return db
    .from(sorted.as('words'))
    .crossJoin(db.raw('lateral (?) as passed', [passed]))
    .limit(limit)
    .offset(offset)
    .pluck('passed.id');
}

function wordsOf(db: Knex, environmentId: number, term: string): Knex.QueryBuilder {
  return db('connection_words')
    .where('environment_id', environmentId)
    .whereRaw(...withPrefix(term));
}

/** A condition that is evaluated for one connection after another, since the planner cannot turn the subquery into a join. */
function hasWord(id: string, term: string): [sql: string, bindings: string[]] {
  const [prefix, bindings] = withPrefix(term);
  return [`(select true from connection_words where connection_id = ${id} and ${prefix} limit 1)`, bindings];
}

/** An index finds a range of words whatever the collation of the database, unlike a pattern for `like`. */
function withPrefix(term: string): [sql: string, bindings: string[]] {
  return ['word >= ? and word < ?', [term, `${term}${LAST}`]];
}
