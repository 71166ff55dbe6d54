import type { Knex } from 'knex';
import { sealPrefix } from '../../kit/key-ring.ts';
import { keyColumns, type SealedColumn } from './sealed-columns.ts';

/** Number of rows that one statement examines, so that it takes only milliseconds, however large the table is. */
const WINDOW = 5_000;

/** The position that a scan of a table has reached, as values of the primary key; undefined at the beginning. */
export type RowPosition = readonly (number | string)[] | undefined;

/** A number of consecutive rows, and how many values in them each key has sealed. */
interface Window {
  readonly end: RowPosition;
  readonly counts: ReadonlyMap<string, number>;
}

/** Returns how many values of a column each key has sealed, by key ID. */
export async function countSealed(db: Knex, column: SealedColumn): Promise<ReadonlyMap<string, number>> {
  const total = new Map<string, number>();
  for (let after: RowPosition; ; ) {
    const { end, counts } = await countWindow(db, column, after);
    for (const [id, count] of counts) total.set(id, (total.get(id) ?? 0) + count);
    if (end === undefined) return total;
    after = end;
  }
}

/** Returns whether a column has a value that this key has sealed. */
export async function hasSealed(db: Knex, column: SealedColumn, keyId: string): Promise<boolean> {
  for (let after: RowPosition; ; ) {
    const { end, counts } = await countWindow(db, column, after);
    if (counts.has(keyId)) return true;
    if (end === undefined) return false;
    after = end;
  }
}

/** Returns the position of the last of the (at most 5,000) rows that follow a position; undefined if no row follows it. */
export async function windowEnd(db: Knex, { table }: SealedColumn, after: RowPosition): Promise<RowPosition> {
  const names = Object.keys(keyColumns(table));
  const row: Record<string, number | string> | undefined = await windowQuery(db, { table, after, names })
    .offset(WINDOW - 1)
    .first(names);
  const last = row ?? (await windowQuery(db, { table, after, names }).clearOrder().orderBy(descending(names)).first(names));
  return last && names.map((name) => last[name] ?? 0);
}

interface SealedRange {
  readonly after: RowPosition;
  readonly end: NonNullable<RowPosition>;
}

/** The primary key of the row that holds a value, and the size of the value in bytes. */
export type SealedSize = Readonly<Record<string, unknown>> & { readonly bytes: number };

/**
 * Returns the row's primary key and the size of each value, after one position and up to another, that a key other than `keyId`
 * has sealed. Values that no key has sealed, such as the emptied proof of a revoked API key, are left out.
 */
export async function sealedByOthers(
  db: Knex,
  { table, column }: SealedColumn,
  { after, end, keyId }: SealedRange & { readonly keyId: string },
): Promise<readonly SealedSize[]> {
  const names = Object.keys(keyColumns(table));
  const prefix = sealPrefix(keyId);
  return windowQuery(db, { table, after, names })
    .whereRaw(`${rowOf(names)} <= ${marks(names)}`, [...end])
    .whereRaw('octet_length(??) > 2', [column])
    .whereRaw('substring(?? from 2 for ?::integer) <> ?', [column, prefix.length, prefix])
    .select(names)
    .select<SealedSize[]>(db.raw('octet_length(??) as bytes', [column]));
}

/** Reads the values in these rows, with the columns that the values are bound to. */
export async function readSealed(
  db: Knex,
  { table, column }: SealedColumn,
  { rows, needs }: { readonly rows: readonly object[]; readonly needs: readonly string[] },
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const names = Object.keys(keyColumns(table));
  const values = rows.map((row) => names.map((name) => Reflect.get(row, name)));
  return db(table)
    .whereIn(names, values)
    .select([...new Set([...names, column, ...needs])]);
}

/**
 * A value to replace. It is replaced only while it equals `old`; as nonces are random, no value that was written later can equal
 * it.
 */
export interface ResealedValue {
  readonly row: object;
  readonly old: Buffer;
  readonly fresh: Buffer;
}

/**
 * Replaces values that have not changed, in one statement. Rows that another transaction has locked are skipped until the next
 * pass, because a statement that does not wait cannot be part of a deadlock.
 *
 * @returns how many were replaced
 */
export async function exchangeSealed(
  db: Knex,
  { table, column }: SealedColumn,
  exchanges: readonly ResealedValue[],
): Promise<number> {
  const key = Object.entries(keyColumns(table));
  const names = key.map(([name]) => name);
  const same = (one: string, other: string) => names.map((name) => `${one}.${name} = ${other}.${name}`).join(' and ');
  const arrays = [...key.map(([, type]) => `?::${type}[]`), '?::bytea[]', '?::bytea[]'].join(', ');
  const { rowCount }: { rowCount: number } = await db.raw(
    `with wanted as (
       select * from unnest(${arrays}) as wanted (${names.join(', ')}, sealed_old, sealed_fresh)
     ), locked as (
       select wanted.* from ${table} sealed join wanted on ${same('sealed', 'wanted')} and sealed.${column} = wanted.sealed_old
       order by ${names.map((name) => `sealed.${name}`).join(', ')} for no key update of sealed skip locked
     )
     update ${table} set ${column} = locked.sealed_fresh from locked
     where ${same(table, 'locked')} and ${table}.${column} = locked.sealed_old`,
    [
      ...names.map((name) => exchanges.map(({ row }) => Reflect.get(row, name))),
      exchanges.map(({ old }) => old),
      exchanges.map(({ fresh }) => fresh),
    ],
  );
  return rowCount;
}

async function countWindow(db: Knex, { table, column }: SealedColumn, after: RowPosition): Promise<Window> {
  const names = Object.keys(keyColumns(table));
  const end = await windowEnd(db, { table, column } as SealedColumn, after);
  if (end === undefined) return { end, counts: new Map() };
  const rows: { id: Buffer; count: number }[] = await windowQuery(db, { table, after, names })
    .clearOrder()
    .whereRaw(`${rowOf(names)} <= ${marks(names)}`, [...end])
    .whereRaw('octet_length(??) > 2', [column])
    .groupByRaw('1')
    .select(db.raw('substring(?? from 3 for get_byte(??, 1)) as id, count(*) as count', [column, column]));
  return { end, counts: new Map(rows.map(({ id, count }) => [id.toString('latin1'), count])) };
}

function windowQuery(
  db: Knex,
  { table, after, names }: { readonly table: string; readonly after: RowPosition; readonly names: readonly string[] },
): Knex.QueryBuilder {
  const query = db(table).orderBy([...names]);
  return after === undefined ? query : query.whereRaw(`${rowOf(names)} > ${marks(names)}`, [...after]);
}

function descending(names: readonly string[]) {
  return names.map((column) => ({ column, order: 'desc' as const }));
}

function rowOf(names: readonly string[]): string {
  return `(${names.join(', ')})`;
}

function marks(names: readonly string[]): string {
  return `(${names.map(() => '?').join(', ')})`;
}
