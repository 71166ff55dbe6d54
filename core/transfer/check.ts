import type { Knex } from 'knex';
import { migrationNames } from '../db/migrate.ts';
import {
  existingConnections,
  existingIntegrations,
  existingScripts,
  existingVariables,
  type KnownColumns,
  knownColumns,
} from './import-store.ts';
import { type Counts, type Header, type RowRecord, readHeader, readRecord, TransferFault } from './records.ts';
import { type ExportedTable, LOCAL_COLUMNS } from './tables.ts';

const LOOKUP = 500;
const MAX_NAMED = 20;

/** What the environment has already. */
export interface Conflicts {
  readonly count: number;
  /** The first of them. */
  readonly named: readonly string[];
}

/** Reads an export to its end: whole, unchanged, and nothing in it that this release does not know. */
export interface CheckedExport {
  readonly header: Header;
  readonly counts: Counts;
  /** Provider by key. */
  readonly integrations: ReadonlyMap<string, string>;
}

/**
 * @param onRow called with each row
 * @throws TransferFault, AgeFileError
 */
export async function checkExport(
  db: Knex,
  lines: AsyncIterable<string>,
  onRow: (record: RowRecord) => void | Promise<void>,
): Promise<CheckedExport> {
  const tables = Object.keys(LOCAL_COLUMNS) as readonly ExportedTable[];
  const [known, schemas] = [await knownColumns(db, tables), await migrationNames()];
  let header: Header | undefined;
  let end: Counts | undefined;
  const integrations = new Map<string, string>();
  const counts = Object.fromEntries(tables.map((table) => [table, 0])) as Record<ExportedTable, number>;
  let at = 0;
  for await (const line of lines) {
    at += 1;
    if (end !== undefined) throw new TransferFault('the export goes on after its end');
    if (header === undefined) {
      header = readHeader(line);
      if (!schemas.includes(header.schema)) throw newer();
      continue;
    }
    const record = readRecord(line, at);
    if (record.kind === 'end') {
      end = record.counts;
      continue;
    }
    checkColumns(known, record);
    if (record.kind === 'integrations') integrations.set(String(record.row['unique_key']), String(record.row['provider']));
    if ('integration' in record && !integrations.has(record.integration))
      throw new TransferFault(`line ${at} of the export belongs to an integration that is not in it`);
    counts[record.kind] += 1;
    await onRow(record);
  }
  if (header === undefined || end === undefined) throw new TransferFault('the export has no end');
  if (tables.some((table) => end?.[table] !== counts[table])) throw new TransferFault('the export is not complete');
  return { header, counts, integrations };
}

type KnownIntegrations = ReadonlyMap<string, { readonly id: number; readonly provider: string }>;

/** Finds what an environment has already of an export, row by row. */
export class ConflictSearch {
  readonly #db: Knex;
  readonly #integrations: KnownIntegrations;
  readonly #others: ReadonlySet<string>;
  readonly #named: string[] = [];
  /** Integrations that are there with another provider: what belongs to them cannot be kept. */
  readonly #unlike: string[] = [];
  #count = 0;
  #pending: { readonly integration: string; readonly ids: string[] } = { integration: '', ids: [] };

  private constructor(db: Knex, integrations: KnownIntegrations, others: ReadonlySet<string>) {
    this.#db = db;
    this.#integrations = integrations;
    this.#others = others;
  }

  /** @param environmentId undefined: there is none yet, so nothing can conflict */
  static async open(db: Knex, environmentId: number | undefined): Promise<ConflictSearch> {
    if (environmentId === undefined) return new ConflictSearch(db, new Map(), new Set());
    const integrations = await existingIntegrations(db, environmentId);
    const variables = (await existingVariables(db, environmentId)).map((name) => `variable ${name}`);
    const scripts = (await existingScripts(db, environmentId)).map((name) => `script ${name}`);
    const byKey = new Map(integrations.map(({ unique_key: key, ...rest }) => [key, rest] as const));
    return new ConflictSearch(db, byKey, new Set([...variables, ...scripts]));
  }

  async look(record: RowRecord): Promise<void> {
    if (record.kind === 'connections') return this.#lookForConnection(record.integration, String(record.row['connection_id']));
    if (record.kind === 'environment_variables') this.#noteIfThere(`variable ${record.row['name']}`);
    if (record.kind === 'scripts') this.#noteIfThere(`script ${record.integration}/${record.row['event']}`);
    if (record.kind !== 'integrations') return;
    const key = String(record.row['unique_key']);
    const existing = this.#integrations.get(key);
    if (existing === undefined) return;
    this.#note(`integration ${key}`);
    if (existing.provider !== record.row['provider']) this.#unlike.push(key);
  }

  async end(): Promise<Conflicts & { readonly unlike: readonly string[] }> {
    await this.#lookUp();
    return { count: this.#count, named: this.#named, unlike: this.#unlike };
  }

  async #lookForConnection(integration: string, id: string): Promise<void> {
    if (!this.#integrations.has(integration)) return;
    if (this.#pending.integration !== integration || this.#pending.ids.length === LOOKUP) await this.#lookUp(integration);
    this.#pending.ids.push(id);
  }

  async #lookUp(next = ''): Promise<void> {
    const { integration, ids } = this.#pending;
    this.#pending = { integration: next, ids: [] };
    const existing = this.#integrations.get(integration);
    if (existing === undefined || ids.length === 0) return;
    for (const id of await existingConnections(this.#db, existing.id, ids)) this.#note(`connection ${integration}/${id}`);
  }

  #noteIfThere(name: string): void {
    if (this.#others.has(name)) this.#note(name);
  }

  #note(name: string): void {
    this.#count += 1;
    if (this.#named.length < MAX_NAMED) this.#named.push(name);
  }
}

function checkColumns(known: KnownColumns, { kind, row, sealed }: RowRecord): void {
  const local: readonly string[] = LOCAL_COLUMNS[kind];
  for (const column of [...Object.keys(row), ...Object.keys(sealed)]) {
    if (!known.get(kind)?.has(column)) throw newer();
    if (local.includes(column)) throw new TransferFault(`the export has a value for ${kind}.${column}, which no export has`);
  }
}

function newer(): TransferFault {
  return new TransferFault('the export was made by a newer release: update this installation first');
}
