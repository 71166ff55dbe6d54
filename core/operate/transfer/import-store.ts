import type { Knex } from 'knex';
import type { ExportedTable } from './tables.ts';

/** The tables of this database and their columns. */
export type KnownColumns = ReadonlyMap<string, ReadonlySet<string>>;

export async function knownColumns(db: Knex, tables: readonly ExportedTable[]): Promise<KnownColumns> {
  const { rows }: { rows: { table_name: string; columns: string[] }[] } = await db.raw(
    `select table_name, array_agg(column_name::text) as columns from information_schema.columns
     where table_schema = current_schema() and table_name = any(?) group by 1`,
    [[...tables]],
  );
  return new Map(rows.map((row) => [row.table_name, new Set(row.columns)]));
}

interface ExistingIntegration {
  readonly id: number;
  readonly unique_key: string;
  readonly provider: string;
}

export function existingIntegrations(db: Knex, environmentId: number): Promise<ExistingIntegration[]> {
  return db('integrations')
    .where({ environment_id: environmentId })
    .whereNull('deleted_at')
    .select<ExistingIntegration[]>('id', 'unique_key', 'provider');
}

/** Returns the names of the variables that an environment has. */
export function existingVariables(db: Knex, environmentId: number): Promise<string[]> {
  return db('environment_variables').where({ environment_id: environmentId }).pluck('name');
}

/** Returns the former keys of an environment's integrations. */
export function existingAliases(db: Knex, environmentId: number): Promise<string[]> {
  return db('integration_aliases').where({ environment_id: environmentId }).pluck('unique_key');
}

/**
 * Deletes former keys that are now the key of another integration: once that integration is deleted, its deliveries would
 * otherwise reach the one that formerly had the key.
 */
export async function deleteTakenAliases(db: Knex, environmentId: number): Promise<void> {
  const taken = db('integrations').where({ environment_id: environmentId }).whereNull('deleted_at').select('unique_key');
  await db('integration_aliases').where({ environment_id: environmentId }).whereIn('unique_key', taken).delete();
}

/**
 * Stores an entry of the operation log as the reason in all connections whose users must authorize again and that have none.
 *
 * @returns the number of these connections
 */
export function nameOutages(db: Knex, environmentId: number, logId: string): Promise<number> {
  return db('connections')
    .where({ environment_id: environmentId, state: 'needs_reauth' })
    .whereNull('auth_error_log_id')
    .whereNull('deleted_at')
    .update({ auth_error_log_id: logId });
}

/** Returns the events of an environment's scripts, as `<integration>/<event>`. */
export async function existingScripts(db: Knex, environmentId: number): Promise<string[]> {
  const rows = await db('scripts as s')
    .join('integrations as i', 'i.id', 's.integration_id')
    .where({ 's.environment_id': environmentId })
    .whereNull('i.deleted_at')
    .select<{ unique_key: string; event: string }[]>('i.unique_key', 's.event');
  return rows.map((row) => `${row.unique_key}/${row.event}`);
}

/** Returns those of the connection IDs that an integration already has. */
export function existingConnections(db: Knex, integrationId: number, ids: readonly string[]): Promise<string[]> {
  return db('connections')
    .where({ integration_id: integrationId })
    .whereNull('deleted_at')
    .whereRaw('connection_id = any(?)', [[...ids]])
    .pluck('connection_id');
}

/** Returns whether another environment already has the UUID or the public key, which must be unique. */
export async function takenNames(
  db: Knex,
  names: { readonly uuid: unknown; readonly publicKey: unknown },
): Promise<{ readonly uuid: boolean; readonly publicKey: boolean }> {
  const has = async (column: string, value: unknown) =>
    value !== null && value !== undefined && (await db('environments').where(column, String(value)).first('id')) !== undefined;
  return { uuid: await has('uuid', names.uuid), publicKey: await has('public_key', names.publicKey) };
}

/**
 * Inserts rows in the form that `jsonb_populate_recordset` reads, all with the same columns. Existing rows are left unchanged.
 *
 * @param columns names of columns of the table
 * @returns how many were inserted
 */
export async function insertRows(
  db: Knex,
  table: ExportedTable,
  { rows, columns }: { readonly rows: readonly object[]; readonly columns: readonly string[] },
): Promise<number> {
  const names = columns.map((column) => `"${column}"`).join(', ');
  const { rowCount }: { rowCount: number } = await db.raw(
    `insert into ${table} (${names}) select ${names} from jsonb_populate_recordset(null::${table}, ?::jsonb)
     on conflict do nothing`,
    [JSON.stringify(rows)],
  );
  return rowCount;
}

/** Sets columns of an environment, passed in the form that `jsonb_populate_record` reads. */
export async function setEnvironment(
  db: Knex,
  id: number,
  { row, columns }: { readonly row: object; readonly columns: readonly string[] },
): Promise<void> {
  const names = columns.map((column) => `"${column}"`).join(', ');
  await db.raw(
    `update environments set (${names}) = row (${columns.map((column) => `fresh."${column}"`).join(', ')})
     from jsonb_populate_record(null::environments, ?::jsonb) fresh where environments.id = ?`,
    [JSON.stringify(row), id],
  );
}
