import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { type FileHandle, readFile } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { parseArgs } from 'node:util';
import { BUNDLED_PLUGINS, BUNDLED_PROVIDERS } from '../catalogue/bundled-folders.ts';
import { readCatalogue } from '../catalogue/catalogue.ts';
import type { Config } from '../config/schema.ts';
import { withTransaction } from '../db/transaction.ts';
import { recordAudit } from '../journal/audit-trail/record.ts';
import { decryptAge, encryptAge } from '../kit/age-file.ts';
import { linesOf } from '../kit/lines.ts';
import { writeNew } from '../kit/new-file.ts';
import { exportEnvironment } from '../operate/transfer/export.ts';
import { checkImport, type Findings, importEnvironment } from '../operate/transfer/import.ts';
import type { Counts } from '../operate/transfer/records.ts';
import { type Environment, firstAccountId } from '../tenants/environments/environment-store.ts';
import { auditContext } from './audit-context.ts';
import { openContext, requireEnvironment } from './command-context.ts';
import { commandError, fileOf, printObject, usageError } from './output.ts';

const MIN_SECRET = 20;
const PLAIN_BYTES = 256 * 1024;
const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;
const COMMON = { json: FLAG, env: { ...TEXT, default: 'dev' }, 'key-file': TEXT } as const;

/** `export FILE --key-file KEY`: writes an environment to one encrypted file. */
export async function exportCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args: [...args], options: COMMON, allowPositionals: true });
  const file = fileOf('export FILE --key-file KEY', positionals);
  const secret = await secretOf('export', values['key-file']);
  await using context = await openContext();
  const environment = await requireEnvironment(context.db, values.env);
  const options = { db: context.db, keys: context.keys, environment, now: new Date() };
  const counts = await writeNew(file, async (draft) => {
    const exported = await encrypted(draft, secret, (write) => exportEnvironment(options, write));
    const facts = { to: file, exported };
    await recordAudit(context, {
      ...auditContext(environment),
      action: 'environment.export',
      subject: subjectOf(environment),
      facts,
    });
    return exported;
  });
  printObject({ file, environment: environment.name, exported: counts }, values.json === true);
}

/** Writes the lines of `produce` into the file, encrypted, and makes `produce` wait while the disk is slower. */
async function encrypted<T>(
  file: FileHandle,
  secret: string,
  produce: (write: (line: Buffer) => Promise<void>) => Promise<T>,
): Promise<T> {
  const plain = new PassThrough({ highWaterMark: PLAIN_BYTES });
  const write = async (line: Buffer) => {
    if (!plain.write(line)) await once(plain, 'drain'); // rejects when the stream is destroyed
  };
  const stopped = (error: unknown) => {
    plain.destroy(error instanceof Error ? error : new Error('the export was stopped', { cause: error }));
    throw error;
  };
  const ended = (result: T) => {
    plain.end();
    return result;
  };
  const store = async () => {
    for await (const piece of encryptAge(plain, secret)) await file.appendFile(piece);
  };
  const [result] = await Promise.all([produce(write).then(ended).catch(stopped), store().catch(stopped)]);
  return result;
}

/** `import FILE --key-file KEY`: imports an exported environment into an existing one, or into one created for it. */
export async function importCommand(args: readonly string[]): Promise<void> {
  const flags = { 'keep-existing': FLAG, settings: FLAG, check: FLAG };
  const { values, positionals } = parseArgs({ args: [...args], options: { ...COMMON, ...flags }, allowPositionals: true });
  const file = fileOf('import FILE --key-file KEY', positionals);
  const secret = await secretOf('import', values['key-file']);
  if (!/^[a-z0-9_-]{1,255}$/.test(values.env)) throw usageError('--env must consist of lower-case letters, digits, _ and -');
  await using context = await openContext();
  const accountId = await firstAccountId(context.db);
  if (accountId === undefined)
    throw commandError('the database is empty: start the service once to create the first environment');
  const keepExisting = values['keep-existing'] === true;
  const options = {
    ...context,
    accountId,
    name: values.env,
    keepExisting,
    sandboxes: await sandboxes(context.config),
    marginSeconds: context.config.SVC_REFRESH_MARGIN_SECONDS,
    withSettings: values.settings === true,
    lines: () => linesOf(decryptAge(createReadStream(file), secret)),
  };
  const findings = await checkImport(options);
  if (findings.conflicts.count > 0 && !keepExisting) throw commandError(refusal(findings));
  if (values.check) return printFindings(findings, values.json === true);
  const { environment, isNew, inserted, kept, keepsUuid } = await withTransaction(context.db, async (trx) => {
    const imported = await importEnvironment({ ...options, db: trx });
    const facts = { from: file, created: imported.isNew, imported: imported.inserted, settings: options.withSettings };
    const entry = { action: 'environment.import', subject: subjectOf(imported.environment), facts } as const;
    await recordAudit({ ...context, db: trx }, { ...auditContext({ ...imported.environment, accountId }), ...entry });
    return imported;
  });
  const result = { environment: environment.name, uuid: environment.uuid, created: isNew, imported: inserted, kept };
  printObject({ ...result, webhook_urls: keepsUuid ? 'kept' : 'changed' }, values.json === true);
}

function subjectOf({ id, name }: Pick<Environment, 'id' | 'name'>) {
  return { type: 'environment', id: String(id), name } as const;
}

/** Returns the sandboxes: providers that the service plays itself. */
async function sandboxes({ SVC_PROVIDERS_DIR, SVC_PLUGINS_DIR }: Config): Promise<ReadonlySet<string>> {
  const catalogue = await readCatalogue([...SVC_PROVIDERS_DIR, ...SVC_PLUGINS_DIR], [BUNDLED_PROVIDERS, BUNDLED_PLUGINS]);
  return new Set(catalogue.list().flatMap(({ slug, definition }) => (definition.sandbox === true ? [slug] : [])));
}

function printFindings({ from, exportedAt, counts, conflicts }: Findings, asJson: boolean): void {
  printObject({ from, exported_at: exportedAt, contains: counts satisfies Counts, existing: conflicts.count }, asJson);
}

function refusal({ conflicts: { count, named } }: Findings): string {
  const more = count > named.length ? ` and ${count - named.length} more` : '';
  return `nothing was imported, since these already exist in the environment: ${named.join(', ')}${more}; --keep-existing imports the rest`;
}

async function secretOf(command: string, path: string | undefined): Promise<string> {
  if (path === undefined) throw usageError(`${command} needs --key-file FILE; create one with: openssl rand -base64 32 > FILE`);
  const secret = (await readFile(path, 'utf8')).trim();
  if (secret.length < MIN_SECRET)
    throw usageError(`${path} must have at least ${MIN_SECRET} characters, such as: openssl rand -base64 32 > ${path}`);
  return secret;
}
