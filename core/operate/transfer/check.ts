import type { Knex } from 'knex';
import { hasClientOf } from '../../connections/integrations/effective-client.ts';
import { integrationByKey } from '../../connections/integrations/integration-store.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import {
  existingAliases,
  existingConnections,
  existingIntegrations,
  existingScripts,
  existingVariables,
  type KnownColumns,
  knownColumns,
} from './import-store.ts';
import { type Counts, type RowRecord, readHeader, readRecord, TransferFault, type TransferHeader } from './records.ts';
import { type ExportedTable, LOCAL_COLUMNS } from './tables.ts';

const LOOKUP = 500;
const MAX_NAMED = 20;

/** The entries of an export that the environment already has. */
export interface Conflicts {
  readonly count: number;
  /** The names of the first 20 conflicts. */
  readonly named: readonly string[];
}

/** An export that was read to its end: it is complete, unchanged, and contains nothing that this release does not know. */
interface CheckedExport {
  readonly header: TransferHeader;
  readonly counts: Counts;
  /** Providers, by the key of the integration. */
  readonly integrations: ReadonlyMap<string, string>;
}

/**
 * Reads an export to its end and checks it.
 *
 * @param onRow called with each row
 * @throws TransferFault if it is incomplete, or has something that this release does not know; AgeFileError
 */
export async function checkExport(
  db: Knex,
  lines: AsyncIterable<Buffer>,
  onRow: (record: RowRecord) => void | Promise<void>,
): Promise<CheckedExport> {
  const tables = Object.keys(LOCAL_COLUMNS) as readonly ExportedTable[];
  const known = await knownColumns(db, tables);
  let header: TransferHeader | undefined;
  let end: Counts | undefined;
  const integrations = new Map<string, string>();
  const counts = Object.fromEntries(tables.map((table) => [table, 0])) as Record<ExportedTable, number>;
  let at = 0;
  for await (const line of lines) {
    at += 1;
    if (end !== undefined) throw new TransferFault('the export has lines after its end');
    if (header === undefined) {
      header = readHeader(line);
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
      throw new TransferFault(`line ${at} of the export belongs to an integration that the export lacks`);
    counts[record.kind] += 1;
    await onRow(record);
  }
  if (header === undefined || end === undefined) throw new TransferFault('the export is incomplete: its last line is missing');
  if (tables.some((table) => end?.[table] !== counts[table]))
    throw new TransferFault('the export is incomplete: lines are missing');
  return { header, counts, integrations };
}

interface SearchDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
  /** The environment; undefined when it does not exist yet, so nothing can conflict. */
  readonly environmentId: number | undefined;
}

/** Connections of one integration that are looked up with one query. */
interface Pending {
  readonly integration: string;
  /** The fingerprint of the client with which each connection was authorized, by connection ID. */
  readonly clients: Map<string, string | null>;
}

type KnownIntegrations = ReadonlyMap<string, { readonly id: number; readonly provider: string }>;

/** Finds, row by row, the entries of an export that an environment already has. */
export class ConflictSearch {
  readonly #deps: SearchDeps;
  readonly #integrations: KnownIntegrations;
  readonly #others: ReadonlySet<string>;
  readonly #named: string[] = [];
  /** Existing integrations whose provider differs from that in the export: imported rows cannot belong to them. */
  readonly #unlike: string[] = [];
  #count = 0;
  /**
   * Existing integrations that lack the client with which connections of the export were authorized: such connections could not
   * be refreshed.
   */
  readonly #strange = new Set<string>();
  #pending: Pending = { integration: '', clients: new Map() };

  private constructor(deps: SearchDeps, integrations: KnownIntegrations, others: ReadonlySet<string>) {
    this.#deps = deps;
    this.#integrations = integrations;
    this.#others = others;
  }

  static async open(deps: SearchDeps): Promise<ConflictSearch> {
    const { db, environmentId } = deps;
    if (environmentId === undefined) return new ConflictSearch(deps, new Map(), new Set());
    const integrations = await existingIntegrations(db, environmentId);
    const variables = (await existingVariables(db, environmentId)).map((name) => `variable ${name}`);
    const aliases = (await existingAliases(db, environmentId)).map((key) => `former key ${key}`);
    const scripts = (await existingScripts(db, environmentId)).map((name) => `script ${name}`);
    const byKey = new Map(integrations.map(({ unique_key: key, ...rest }) => [key, rest] as const));
    return new ConflictSearch(deps, byKey, new Set([...variables, ...scripts, ...aliases]));
  }

  async look(record: RowRecord): Promise<void> {
    if (record.kind === 'connections') return this.#lookForConnection(record.integration, record.row);
    if (record.kind === 'environment_variables') this.#noteIfThere(`variable ${record.row['name']}`);
    if (record.kind === 'scripts') this.#noteIfThere(`script ${record.integration}/${record.row['event']}`);
    if (record.kind === 'integration_aliases') this.#lookForAlias(String(record.row['unique_key']));
    if (record.kind !== 'integrations') return;
    const key = String(record.row['unique_key']);
    const existing = this.#integrations.get(key);
    if (existing === undefined) return;
    this.#note(`integration ${key}`);
    if (existing.provider !== record.row['provider']) this.#unlike.push(key);
  }

  async end(): Promise<Conflicts & { readonly unlike: readonly string[]; readonly strange: readonly string[] }> {
    await this.#lookUp();
    return { count: this.#count, named: this.#named, unlike: this.#unlike, strange: [...this.#strange] };
  }

  async #lookForConnection(integration: string, row: RowRecord['row']): Promise<void> {
    if (!this.#integrations.has(integration)) return;
    if (this.#pending.integration !== integration || this.#pending.clients.size === LOOKUP) await this.#lookUp(integration);
    const fingerprint = row['client_fingerprint'];
    this.#pending.clients.set(String(row['connection_id']), typeof fingerprint === 'string' ? fingerprint : null);
  }

  /**
   * Counts a former key as a conflict if it already exists as a former key or as the key of an integration, which then keeps it.
   */
  #lookForAlias(key: string): void {
    if (this.#integrations.has(key)) this.#note(`integration ${key}`);
    else this.#noteIfThere(`former key ${key}`);
  }

  async #lookUp(next = ''): Promise<void> {
    const { integration, clients } = this.#pending;
    this.#pending = { integration: next, clients: new Map() };
    const existing = this.#integrations.get(integration);
    if (existing === undefined || clients.size === 0) return;
    for (const id of await existingConnections(this.#deps.db, existing.id, [...clients.keys()])) {
      this.#note(`connection ${integration}/${id}`);
      clients.delete(id);
    }
    await this.#checkClients(integration, new Set(clients.values()));
  }

  /**
   * Checks whether an integration has the clients that imported connections were authorized with: a refresh token is only usable
   * by the client that it was issued to (RFC 6749 §6).
   */
  async #checkClients(key: string, fingerprints: ReadonlySet<string | null>): Promise<void> {
    const { environmentId = 0 } = this.#deps;
    const integration = fingerprints.size === 0 ? undefined : await integrationByKey(this.#deps, environmentId, key);
    if (integration === undefined) return;
    if ([...fingerprints].some((fingerprint) => !hasClientOf(integration, fingerprint))) this.#strange.add(key);
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
    if (!known.get(kind)?.has(column))
      throw new TransferFault('the export was made by a newer release: update this installation first');
    if (local.includes(column))
      throw new TransferFault(`the export has a value for ${kind}.${column}, which exports never contain`);
  }
}
