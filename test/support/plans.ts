import type { Knex } from 'knex';

interface Executed {
  readonly sql: string;
  readonly bindings: readonly Knex.RawBinding[];
}

/**
 * Returns the plans by which Postgres executes the statements that `work` runs on `db`, chosen with the current table statistics.
 *
 * @param explain the command, for instance with `analyze`, which executes the statements and counts rows
 */
export async function plansOf(db: Knex, work: () => Promise<unknown>, explain = 'explain'): Promise<string> {
  const executed: Executed[] = [];
  const note = (one: Executed) => void executed.push(one);
  db.on('query', note);
  await work();
  db.off('query', note);
  const lines: string[] = [];
  for (const { sql, bindings } of executed) {
    const { rows } = await db.raw(`${explain} ${sql.replaceAll(/\$\d+/g, '?')}`, [...bindings]);
    lines.push(...rows.map((row: Record<string, string>) => row['QUERY PLAN']));
  }
  return lines.join('\n');
}

/** Returns the tables that a plan scans sequentially, except empty ones. */
export async function tablesRead(db: Knex, plan: string): Promise<readonly string[]> {
  const tables = new Set(Array.from(plan.matchAll(/Seq Scan on (\w+)/g), ([, table = '']) => table));
  const read: string[] = [];
  for (const table of tables) {
    const { rows } = await db.raw('select exists (select from :table:) as filled', { table });
    if (rows[0].filled) read.push(table);
  }
  return read;
}
