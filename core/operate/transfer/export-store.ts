import type { Knex } from 'knex';
import { SEALED_COLUMNS, type SealedTable } from '../keys/sealed-columns.ts';
import { type ExportedTable, LOCAL_COLUMNS } from './tables.ts';

/** Rows in a page. A page of connections takes at most some megabytes: metadata and configuration are bounded. */
const PAGE = 200;
/** Rows in a page of script versions, whose sources are large. */
const SCRIPT_PAGE = 10;

/** A row to export, and the columns that determine the places for which its values were encrypted. */
export interface StoredRow {
  readonly id: number;
  /** All columns, including those that determine the places of encrypted values. */
  readonly stored: Readonly<Record<string, unknown>>;
  /** The exported columns, as `to_jsonb` shows them. */
  readonly row: Readonly<Record<string, unknown>>;
  /** The key of the integration to which the row belongs, and in `event` the script's event; each is empty when there is none. */
  readonly integration: string;
  readonly event: string;
}

/** Tables whose rows have no ID: one page holds all of them. */
const WITHOUT_ID: readonly ExportedTable[] = ['environment_variables', 'integration_aliases'];

const BELONGS: Readonly<Record<ExportedTable, string>> = {
  environments: 'where t.id = :environmentId and t.deleted_at is null',
  environment_variables: 'where t.environment_id = :environmentId',
  webhook_logins: 'where t.environment_id = :environmentId',
  integrations: 'where t.environment_id = :environmentId and t.deleted_at is null',
  integration_aliases: `join integrations i on i.id = t.integration_id
    where t.environment_id = :environmentId and i.deleted_at is null`,
  scripts: `join integrations i on i.id = t.integration_id
    where t.environment_id = :environmentId and i.deleted_at is null and t.active_version is not null`,
  script_versions: `join scripts s on s.id = t.script_id join integrations i on i.id = s.integration_id
    where t.environment_id = :environmentId and i.deleted_at is null and s.active_version is not null`,
  connections: `join integrations i on i.id = t.integration_id
    where t.environment_id = :environmentId and t.deleted_at is null and i.deleted_at is null`,
};

const IS_LEASED = 'exists (select from refreshes where connection_id = t.id and owner is not null)';

/** Yields the rows of an environment in one table, reading page by page. `db` is a transaction with one snapshot. */
export async function* exportedRows(db: Knex, table: ExportedTable, environmentId: number): AsyncGenerator<StoredRow> {
  const limit = table === 'script_versions' ? SCRIPT_PAGE : PAGE;
  for (let afterId = 0; ; ) {
    const page = await pageOf(db, table, { environmentId, afterId, limit });
    yield* page;
    const last = page.at(-1);
    if (last === undefined || WITHOUT_ID.includes(table) || page.length < limit) return;
    afterId = last.id;
  }
}

async function pageOf(
  db: Knex,
  table: ExportedTable,
  { environmentId, afterId, limit }: { readonly environmentId: number; readonly afterId: number; readonly limit: number },
): Promise<StoredRow[]> {
  const hasId = !WITHOUT_ID.includes(table);
  const sql = BELONGS[table];
  const { rows }: { rows: Record<string, unknown>[] } = await db.raw(
    `select t.*, to_jsonb(t) - :hidden::text[] as exported_row,
       ${sql.includes(' i on ') ? 'i.unique_key' : "''"} as exported_integration,
       ${sql.includes(' s on ') ? 's.event' : "''"} as exported_event,
       ${table === 'connections' ? IS_LEASED : 'false'} as is_leased
     from ${table} t ${sql} ${hasId ? 'and t.id > :afterId order by t.id limit :limit' : 'order by 1, 2'}`,
    { environmentId, afterId, limit, hidden: [...LOCAL_COLUMNS[table], ...sealedColumns(table)] },
  );
  return rows.map(({ exported_row: row, exported_integration: integration, exported_event: event, ...stored }) => ({
    id: Number(stored['id']),
    stored,
    row: row as StoredRow['row'],
    integration: String(integration),
    event: String(event),
  }));
}

function sealedColumns(table: ExportedTable): readonly string[] {
  return Object.hasOwn(SEALED_COLUMNS, table) ? SEALED_COLUMNS[table as ExportedTable & SealedTable] : [];
}
