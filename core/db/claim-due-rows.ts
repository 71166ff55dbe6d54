import type { Knex } from 'knex';
import type { Room } from './due-worker.ts';

/**
 * Number of due rows that a claim looks at. It takes only a few of each group, so it must also see rows of other groups that
 * became due later.
 */
const LOOKED_AT = 500;

export interface DueTable {
  readonly table: string;
  /** The table's key column. */
  readonly key: string;
  /** SQL expression of type `text` that yields the group of a row. */
  readonly group: string;
  /** SQL condition on rows that may be claimed at all. Default: all rows may. */
  readonly isFree?: string;
  /** SQL expression of type `text[]`: groups that are skipped. */
  readonly passedOver?: string;
}

/**
 * Returns SQL of three CTEs. `page` has the keys of the rows to claim now, locked: those first that have been due longest, and of
 * each group no more than there is room for. Concurrent claims get other rows. Bindings: `roomBindings`.
 */
export function duePage({ table, key, group, isFree = 'true', passedOver }: DueTable): string {
  const isDue = `${isFree} and due_at <= now()`;
  return `
     due as (
       select ${key}, ${group} as due_group, due_at as due_since from ${table}
       where ${isDue} and ${group} <> all (:full::text[]) ${passedOver === undefined ? '' : `and ${group} <> all (${passedOver})`}
       order by due_at limit ${LOOKED_AT}
     ),
     ranked as (select *, row_number() over (partition by due_group order by due_since) as place from due),
     page as (
       select ${table}.${key} from ${table} join ranked using (${key})
       where ${isDue} and place <= coalesce((:free::jsonb ->> due_group)::int, :perGroup)
       order by due_since limit :rows
       for update of ${table} skip locked
     )`;
}

export function roomBindings({ rows, groups, perGroup }: Room) {
  const full = [...groups].flatMap(([group, free]) => (free <= 0 ? group : []));
  return { rows, perGroup, full, free: JSON.stringify(Object.fromEntries(groups)) };
}

/**
 * Claims due rows by making them due again later, so that none is lost when the process ends.
 *
 * @returns the rows, each with its new due time to the microsecond as `stamp`; if a row has a different stamp later, somebody has
 *   changed it
 */
export async function claimRows<Row>(
  db: Knex,
  due: DueTable,
  { room, claimSeconds }: { readonly room: Room; readonly claimSeconds: number },
): Promise<(Row & { readonly stamp: string })[]> {
  const { table, key } = due;
  const { rows } = await db.raw(
    `with ${duePage(due)}
     update ${table} set due_at = now() + :claimSeconds * interval '1 second' from page where ${table}.${key} = page.${key}
     returning ${table}.*, extract(epoch from due_at)::text as stamp`,
    { ...roomBindings(room), claimSeconds },
  );
  return rows;
}

/** Returns an SQL expression for `due_at`: the time so many seconds from now, by the database's clock. */
export function dueIn(db: Knex, seconds: number): Knex.Raw {
  return db.raw(`now() + ? * interval '1 second'`, [seconds]);
}

/** @returns milliseconds until the next row falls due; undefined if none does */
export async function nextDueMs(
  db: Knex,
  { table, isFree = 'true' }: Pick<DueTable, 'table' | 'isFree'>,
): Promise<number | undefined> {
  const { rows }: { rows: { ms: number }[] } = await db.raw(
    `select extract(epoch from due_at - now())::float8 * 1000 as ms from ${table}
     where ${isFree} and due_at > now() order by due_at limit 1`,
  );
  return rows[0]?.ms;
}
