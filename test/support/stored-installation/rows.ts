import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Knex } from 'knex';
import { migrate } from '../../../core/db/migrate.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { emptyDatabase, type TestDatabase } from '../database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
const LEDGER = 'schema_migrations';

/** All rows of all tables, as the JSON that Postgres writes. A partitioned table counts as one table. */
export type Rows = Readonly<Record<string, readonly object[]>>;

export async function readRows(db: Knex): Promise<Rows> {
  const rows: Record<string, readonly object[]> = {};
  for (const table of await tablesOf(db)) {
    const { rows: found } = await db.raw(`select coalesce(json_agg(t), '[]') as all from ?? t`, [table]);
    rows[table] = found[0].all;
  }
  return rows;
}

/** Creates a database with the schema that the rows were read from, and with these rows. */
export async function restoreRows(rows: Rows): Promise<TestDatabase> {
  await using opened = new AsyncDisposableStack();
  const database = opened.use(await emptyDatabase());
  await migrateTo(
    database,
    (rows[LEDGER] ?? []).map((row) => String(Reflect.get(row, 'name'))),
  );
  await database.db.transaction(async (trx) => {
    // In this transaction, foreign keys are not checked, so the order of the tables does not matter. The triggers of `audit_head`
    // are disabled because they allow this row to advance only by one entry of the audit trail at a time.
    await trx.raw('set local session_replication_role = replica');
    await trx.raw('alter table audit_head disable trigger user');
    for (const table of await tablesOf(trx)) await fillTable(trx, table, rows[table] ?? []);
    await trx.raw('alter table audit_head enable always trigger kept, enable always trigger forward');
    await trx.raw('alter table audit_head enable always trigger all_kept');
  });
  opened.move();
  return database;
}

async function migrateTo({ url }: TestDatabase, names: readonly string[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-migrations-'));
  for (const name of [...names.map((one) => `${one}.ts`), 'baseline'])
    await cp(join(MIGRATIONS, name), join(directory, name), { recursive: true });
  await migrate({ url, directory, log: createLogger({ level: 'silent' }) });
  await rm(directory, { recursive: true });
}

async function fillTable(trx: Knex.Transaction, table: string, rows: readonly object[]): Promise<void> {
  await trx(table).delete();
  await trx.raw('insert into ?? overriding system value select * from json_populate_recordset(null::??, ?)', [
    table,
    table,
    JSON.stringify(rows),
  ]);
  const { rows: identities }: { rows: { column_name: string }[] } = await trx.raw(
    `select column_name from information_schema.columns
     where table_schema = 'public' and table_name = ? and is_identity = 'YES'`,
    [table],
  );
  for (const { column_name: column } of identities)
    await trx.raw('select setval(pg_get_serial_sequence(?, ?), coalesce(max(??), 1)) from ??', [table, column, column, table]);
}

async function tablesOf(db: Knex): Promise<readonly string[]> {
  const { rows }: { rows: { name: string }[] } = await db.raw(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  return rows.map(({ name }) => name);
}
