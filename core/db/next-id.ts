import type { Knex } from 'knex';

/**
 * Returns the ID for a row that is about to be inserted. An encrypted value is bound to its row, so the ID must be known before
 * the value is encrypted.
 */
export async function nextId(db: Knex, table: string): Promise<number> {
  const [id] = await nextIds(db, table, 1);
  if (id === undefined) throw new Error(`no sequence for ${table}`);
  return id;
}

/** Returns the IDs for several rows that are about to be inserted, in ascending order. */
export async function nextIds(db: Knex, table: string, count: number): Promise<readonly number[]> {
  const { rows }: { rows: { id: number }[] } = await db.raw(
    `select nextval(pg_get_serial_sequence(?, 'id')) as id from generate_series(1, ?::integer)`,
    [table, count],
  );
  return rows.map(({ id }) => id);
}
