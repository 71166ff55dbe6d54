import type { Knex } from 'knex';

/**
 * Returns the ID that a row about to be inserted will have: an envelope is bound to the row it lies in, so the ID must be known
 * first.
 */
export async function nextId(db: Knex, table: string): Promise<number> {
  const [id] = await nextIds(db, table, 1);
  if (id === undefined) throw new Error(`no sequence for ${table}`);
  return id;
}

/** Returns the IDs of several rows about to be inserted, ascending. */
export async function nextIds(db: Knex, table: string, count: number): Promise<readonly number[]> {
  const { rows }: { rows: { id: number }[] } = await db.raw(
    `select nextval(pg_get_serial_sequence(?, 'id')) as id from generate_series(1, ?::integer)`,
    [table, count],
  );
  return rows.map(({ id }) => id);
}
