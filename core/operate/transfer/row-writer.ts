import type { Knex } from 'knex';
import { nextIds } from '../../db/next-id.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import { killPoint } from '../../kit/kill-point.ts';
import { existingIntegrations, existingScripts, insertRows } from './import-store.ts';
import { sealRow } from './plain-rows.ts';
import type { RowRecord } from './records.ts';
import type { ExportedTable } from './tables.ts';

const BATCH = { rows: 200, characters: 4 * 1024 * 1024 } as const;
const WITHOUT_ID: readonly ExportedTable[] = ['environment_variables', 'integration_aliases'];

type WrittenRecord = Exclude<RowRecord, { kind: 'environments' }>;

interface WriterDeps {
  /** A transaction. */
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly environmentId: number;
}

/** Writes rows of an export in batches, each with a new ID and encrypted for its new place. */
export class RowWriter {
  readonly inserted: Partial<Record<ExportedTable, number>> = {};
  /** Number of rows that existed already. */
  kept = 0;
  readonly #deps: WriterDeps;
  /** Row IDs of integrations, by key. */
  readonly #integrations: Map<string, number>;
  /** Row IDs of scripts, by integration and event. */
  readonly #scripts = new Map<string, number>();
  readonly #existingScripts: ReadonlySet<string>;
  #batch: WrittenRecord[] = [];
  #characters = 0;

  private constructor(deps: WriterDeps, integrations: Map<string, number>, existing: ReadonlySet<string>) {
    this.#deps = deps;
    this.#integrations = integrations;
    this.#existingScripts = existing;
  }

  static async open(deps: WriterDeps): Promise<RowWriter> {
    const integrations = await existingIntegrations(deps.db, deps.environmentId);
    const byKey = new Map(integrations.map(({ unique_key: key, id }) => [key, id]));
    return new RowWriter(deps, byKey, new Set(await existingScripts(deps.db, deps.environmentId)));
  }

  async write(record: WrittenRecord): Promise<void> {
    if (this.#isThere(record)) {
      this.kept += record.kind === 'script_versions' ? 0 : 1;
      return;
    }
    const [first] = this.#batch;
    if (first !== undefined && !isAlike(first, record)) await this.flush();
    this.#batch.push(record);
    this.#characters += Object.values(record.sealed).reduce((total, text) => total + (text?.length ?? 0), 0);
    if (this.#batch.length === BATCH.rows || this.#characters > BATCH.characters) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    [this.#batch, this.#characters] = [[], 0];
    const [first] = batch;
    if (first === undefined) return;
    const { db, keys } = this.#deps;
    const table = first.kind;
    const ids = WITHOUT_ID.includes(table) ? [] : await nextIds(db, table, batch.length);
    const rows = batch.map((record, index) => sealRow(keys, table, { ...record, place: this.#place(record, ids[index]) }));
    const count = await insertRows(db, table, { rows, columns: Object.keys(rows[0] ?? {}) });
    this.inserted[table] = (this.inserted[table] ?? 0) + count;
    this.kept += batch.length - count;
    killPoint('import-batch');
  }

  #isThere(record: WrittenRecord): boolean {
    const isIntegration = () => this.#integrations.has(String(record.row['unique_key']));
    if (record.kind === 'integrations' || record.kind === 'integration_aliases') return isIntegration();
    if (record.kind === 'scripts') return this.#existingScripts.has(`${record.integration}/${record.row['event']}`);
    return record.kind === 'script_versions' && this.#existingScripts.has(`${record.integration}/${record.event}`);
  }

  /** Returns the columns that determine the row's place. Also remembers its ID for rows that belong to it. */
  #place(record: WrittenRecord, id: number | undefined): Readonly<Record<string, unknown>> {
    const own = { ...(id !== undefined && { id }), environment_id: this.#deps.environmentId };
    if (record.kind === 'integrations') this.#integrations.set(String(record.row['unique_key']), id ?? 0);
    if (record.kind === 'scripts') this.#scripts.set(`${record.integration}/${record.row['event']}`, id ?? 0);
    if (record.kind === 'script_versions')
      return { ...own, script_id: this.#scripts.get(`${record.integration}/${record.event}`) };
    return 'integration' in record ? { ...own, integration_id: this.#integrations.get(record.integration) } : own;
  }
}

/** Returns whether two rows can be written with one statement. */
function isAlike(one: WrittenRecord, other: WrittenRecord): boolean {
  const columns = ({ row, sealed }: WrittenRecord) => [...Object.keys(row), ...Object.keys(sealed)].join();
  return one.kind === other.kind && columns(one) === columns(other);
}
