import type { Readable, Writable } from 'node:stream';
import type { Knex } from 'knex';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { BackupEnd, BackupTable } from './format.ts';

/** A stream that knows, when it has ended, how many rows it had. */
type RowsOf<Stream> = Stream & { readonly rowCount: number };

/** Removes the limits of time in a transaction, and gives the values in its output a form that does not depend on the server. */
export async function prepareCopying(trx: Knex.Transaction): Promise<void> {
  await trx.raw(`
    set local statement_timeout = 0;
    set local idle_in_transaction_session_timeout = 0;
    set local datestyle = 'ISO';
    set local timezone = 'UTC'`);
}

/** Returns the columns of a table whose values are stored. */
export async function columnsOf(trx: Knex.Transaction, table: string): Promise<BackupTable['columns']> {
  const { rows }: { rows: { name: string; type: number }[] } = await trx.raw(
    `select attname::text as name, atttypid::int as type from pg_attribute
     where attrelid = to_regclass(?) and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
    [table],
  );
  return rows.map(({ name, type }) => [name, type]);
}

/** Reads all rows of a table, in the text format of COPY. */
export async function copyOut(trx: Knex.Transaction, { table, columns }: BackupTable): Promise<RowsOf<Readable>> {
  const sql = trx.raw('copy (select ?? from ??) to stdout', [namesOf(columns), table]).toString();
  return (await connectionOf(trx)).query(copyTo(sql));
}

/** Writes rows, in the text format of COPY, to a table. */
export async function copyIn(trx: Knex.Transaction, { table, columns }: BackupTable): Promise<RowsOf<Writable>> {
  const sql = trx.raw('copy ?? (??) from stdin', [table, namesOf(columns)]).toString();
  return (await connectionOf(trx)).query(copyFrom(sql));
}

/** Returns the last value of each sequence that has been used. */
export async function sequenceValues(trx: Knex.Transaction): Promise<BackupEnd['sequences']> {
  const { rows }: { rows: { name: string; value: number }[] } = await trx.raw(
    `select sequencename::text as name, last_value as value from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export async function setSequences(trx: Knex.Transaction, values: BackupEnd['sequences']): Promise<void> {
  for (const [name, value] of Object.entries(values)) await trx.raw('select setval(to_regclass(?), ?)', [name, value]);
}

/** Returns whether the database has an account, as it does from the first start of the service on. */
export async function hasAccounts(db: Knex): Promise<boolean> {
  const { rows }: { rows: { found: boolean }[] } = await db.raw('select exists (select from accounts) as found');
  return rows[0]?.found === true;
}

/**
 * Removes the head of the audit trail that the schema begins with, which refuses to be moved by more than one entry, and runs
 * `work`, which writes another.
 */
export async function replacingAuditHead<T>(trx: Knex.Transaction, work: () => Promise<T>): Promise<T> {
  await trx.raw('alter table audit_head disable trigger user; delete from audit_head');
  const result = await work();
  await trx.raw(
    'alter table audit_head enable always trigger kept, enable always trigger forward, enable always trigger all_kept',
  );
  return result;
}

function namesOf(columns: BackupTable['columns']): string[] {
  return columns.map(([name]) => name);
}

async function connectionOf(trx: Knex.Transaction): Promise<pg.Client> {
  return await trx.client.acquireConnection();
}
