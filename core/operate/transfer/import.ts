import type { Knex } from 'knex';
import { announceIntegrationsOf } from '../../connections/integrations/integrations.ts';
import { rememberKeys } from '../../connections/integrations/used-key-store.ts';
import { writeMissingRefreshes } from '../../credentials/due-store.ts';
import type { Notices } from '../../db/notices.ts';
import { withTransaction } from '../../db/transaction.ts';
import { insertOperations } from '../../journal/operation-log/activity-store.ts';
import { begunRow, endedRow } from '../../journal/operation-log/operation-row.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import { type Environment, environmentByName } from '../../tenants/environments/environment-store.ts';
import { addEnvironment } from '../../tenants/environments/environments.ts';
import { holdOffRotation } from '../keys/rotation-lock-store.ts';
import { ConflictSearch, type Conflicts, checkExport } from './check.ts';
import { deleteTakenAliases, existingIntegrations, nameOutages, setEnvironment, takenNames } from './import-store.ts';
import { sealRow } from './plain-rows.ts';
import { type Counts, type RowRecord, readRecord, TransferFault } from './records.ts';
import { RowWriter } from './row-writer.ts';

interface ImportOptions {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly notices: Pick<Notices, 'publish'>;
  readonly accountId: number;
  /** The name of the environment, which is created if it does not exist. */
  readonly name: string;
  /** True to keep existing entries and import only the others. If false, existing entries are a reason to refuse the import. */
  readonly keepExisting: boolean;
  /** True when an existing environment also gets the settings of the export. */
  readonly withSettings: boolean;
  /** Seconds before its expiry at which a token is refreshed. */
  readonly marginSeconds: number;
  /** Providers that the service plays itself: nothing of them is imported into a production environment. */
  readonly sandboxes: ReadonlySet<string>;
  /** Returns the decrypted export from its beginning. Called once for the check and once for the import. */
  lines(): AsyncIterable<Buffer>;
}

interface Imported {
  readonly environment: Pick<Environment, 'id' | 'name' | 'uuid'>;
  readonly isNew: boolean;
  readonly inserted: Counts;
  /** Number of entries that existed already. */
  readonly kept: number;
  /** True when the environment has the UUID of the export, so that webhook URLs of the same host still work. */
  readonly keepsUuid: boolean;
}

/** The effects of an import, and the conflicts for which it may be refused. */
export interface Findings {
  readonly from: string;
  readonly exportedAt: string;
  readonly counts: Counts;
  readonly conflicts: Conflicts;
}

/**
 * Reads the export to its end without writing anything.
 *
 * @throws TransferFault as `checkExport` does, and when an integration exists with another provider or client, or a production
 *   environment would have a sandbox provider; AgeFileError
 */
export async function checkImport({ db, keys, accountId, name, lines, ...options }: ImportOptions): Promise<Findings> {
  const environment = await environmentByName(db, accountId, name);
  const search = await ConflictSearch.open({ db, keys, environmentId: environment?.id });
  let isProduction = environment?.isProduction === true;
  const { header, counts, integrations } = await checkExport(db, lines(), (record) => {
    const hasSettings = record.kind === 'environments' && (environment === undefined || options.withSettings);
    if (hasSettings) isProduction = record.row['is_production'] === true;
    return search.look(record);
  });
  if (isProduction) await refuseSandboxes({ db, sandboxes: options.sandboxes }, environment, integrations);
  const { unlike, strange, ...conflicts } = await search.end();
  if (unlike.length > 0)
    throw new TransferFault(
      `these integrations already exist with another provider; rename or delete them first: ${unlike.join(', ')}`,
    );
  if (strange.length > 0)
    throw new TransferFault(
      `these integrations already exist with a client other than the one that authorized connections of the export, so these ` +
        `connections could not be refreshed; import into another environment, or set that client first: ${strange.join(', ')}`,
    );
  return { from: header.environment, exportedAt: header.exported_at, counts, conflicts };
}

/**
 * Refuses sandbox providers in a production environment, whether the export or the environment uses them.
 *
 * @throws TransferFault
 */
async function refuseSandboxes(
  { db, sandboxes }: Pick<ImportOptions, 'db' | 'sandboxes'>,
  environment: Environment | undefined,
  imported: ReadonlyMap<string, string>,
): Promise<void> {
  const existing = environment === undefined ? [] : await existingIntegrations(db, environment.id);
  const all = [...imported, ...existing.map(({ unique_key, provider }) => [unique_key, provider] as const)];
  const played = new Set(all.filter(([, provider]) => sandboxes.has(provider)).map(([key]) => key));
  if (played.size > 0)
    throw new TransferFault(
      `these integrations use a sandbox provider, which production environments cannot use: ${[...played].join(', ')}`,
    );
}

/**
 * Writes an export in one transaction: all of it, or nothing, whatever happens. `checkImport` must have accepted it before; the
 * authentication of the file proves that it has not changed since.
 *
 * @throws TransferFault when the environment has got a conflicting entry since the check, or the encryption keys are being
 * rotated
 */
export async function importEnvironment(options: ImportOptions): Promise<Imported> {
  return withTransaction(options.db, async (trx) => {
    if (!(await holdOffRotation(trx, options.keys)))
      throw new TransferFault('the encryption keys are being rotated; import when the rotation has ended');
    const here = { ...options, db: trx };
    const before = await environmentByName(trx, options.accountId, options.name);
    const environment = before ?? (await addEnvironment(here, { accountId: options.accountId, name: options.name }));
    const writer = await RowWriter.open({ db: trx, keys: options.keys, environmentId: environment.id });
    let [at, uuid] = [0, environment.uuid];
    for await (const line of options.lines()) {
      at += 1;
      if (at === 1) continue;
      const record = readRecord(line, at);
      if (record.kind === 'end') break;
      if (isOfSettings(record) && before !== undefined && !options.withSettings) continue;
      if (record.kind !== 'environments') await writer.write(record);
      else uuid = await writeSettings(here, { environment, isNew: before === undefined, record });
    }
    await writer.flush();
    await deleteTakenAliases(trx, environment.id);
    await rememberKeys(trx, environment.id);
    await writeMissingRefreshes(trx, environment.id, { marginSeconds: options.marginSeconds, proofHours: 0 });
    await logOutages(trx, environment.id, new Date());
    if (!options.keepExisting && writer.kept > 0)
      throw new TransferFault('an entry of the export was created in the environment after the check; try again');
    await announceIntegrationsOf(options, trx, environment.id);
    const keepsUuid = before === undefined && uuid !== environment.uuid;
    const { inserted, kept } = writer;
    return { environment: { ...environment, uuid }, isNew: before === undefined, inserted, kept, keepsUuid };
  });
}

/** Returns whether a record belongs to the settings. Logins of webhook URLs are settings if the URLs are. */
function isOfSettings({ kind, row }: RowRecord): boolean {
  return kind === 'environments' || (kind === 'webhook_logins' && row['of'] === 'environment');
}

interface Settings {
  readonly environment: Environment;
  readonly isNew: boolean;
  readonly record: Extract<RowRecord, { kind: 'environments' }>;
}

/** Writes the settings of the export to the environment. @returns the environment's UUID */
async function writeSettings(
  { db, keys }: Pick<ImportOptions, 'db' | 'keys'>,
  { environment, isNew, record }: Settings,
): Promise<string> {
  const { id, uuid } = environment;
  const sealed = sealRow(keys, 'environments', { ...record, place: { id } });
  const taken = await takenNames(db, { uuid: sealed['uuid'], publicKey: sealed['public_key'] });
  // Webhook URLs registered at providers are derived from these two columns: an existing environment keeps its values, so that
  // its URLs remain valid.
  const own = isNew ? [] : ['uuid', 'webhook_tag_key'];
  const left = new Set(['id', ...own, ...(taken.uuid ? ['uuid'] : []), ...(taken.publicKey ? ['public_key'] : [])]);
  const columns = Object.keys(sealed).filter((column) => !left.has(column));
  await setEnvironment(db, id, { row: sealed, columns });
  return columns.includes('uuid') ? String(sealed['uuid']) : uuid;
}

/**
 * Writes to the operation log, in the transaction `trx`, why connections must be authorized again. Each of the `errors` of a
 * connection names an entry of the log, and the original entries stayed in the other database.
 */
async function logOutages(trx: Knex.Transaction, environmentId: number, at: Date): Promise<void> {
  const message =
    'the user must authorize again; the installation that the connection was exported from has the reason in its log';
  const messages = [{ at: at.toISOString(), level: 'error', message, facts: {} }] as const;
  const start = { type: 'auth', operation: 'import', environmentId, actor: { kind: 'cli' } } as const;
  const begun = begunRow(start, { messages, now: at });
  if ((await nameOutages(trx, environmentId, begun.id)) === 0) return;
  await insertOperations(trx, [endedRow(begun, { status: 'failure', errorCode: 'invalid_credentials', at })]);
}
