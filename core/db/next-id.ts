import type { Knex } from 'knex';

/**
 * The ID that a row about to be inserted will have: an envelope is bound to the row it lies in, so the ID must be known first.
 */
export async function nextId(db: Knex, table: string): Promise<number> {
  const { rows }: { rows: { id: number }[] } = await db.raw(`select nextval(pg_get_serial_sequence(?, 'id')) as id`, [table]);
  const id = rows[0]?.id;
  if (id === undefined) throw new Error(`no sequence for ${table}`);
  return id;
}
