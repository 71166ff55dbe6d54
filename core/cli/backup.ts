import { parseArgs } from 'node:util';
import { readConfig } from '../config/read.ts';
import type { Config } from '../config/schema.ts';
import { locateDataDirectory, makeDataDirectory } from '../db/embedded-postgres/data-directory.ts';
import { recordAudit } from '../journal/audit-trail/record.ts';
import { KeyRing, KeyRingError } from '../kit/key-ring.ts';
import type { Logger } from '../kit/logger.ts';
import { writeNew } from '../kit/new-file.ts';
import { checkBackup } from '../operate/backup/check-backup.ts';
import type { BackupHeader, RowCounts } from '../operate/backup/format.ts';
import { headerOf } from '../operate/backup/read-backup.ts';
import { restoreBackup } from '../operate/backup/restore-backup.ts';
import { keySealer, openSealedKeys, readPassphrase } from '../operate/backup/sealed-keys.ts';
import { writeBackup } from '../operate/backup/write-backup.ts';
import { dataDirectory, keyFileOf, type Storage } from '../operate/storage.ts';
import { firstAccountId } from '../tenants/environments/environment-store.ts';
import { accountContext } from './audit-context.ts';
import { type CommandContext, openContext } from './command-context.ts';
import { commandError, fileOf, printObject, usageError } from './output.ts';

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;

/** `backup FILE [--with-keys]`: writes every row of the database to a file, while the service may be running. */
export async function backupCommand(args: readonly string[]): Promise<void> {
  const options = { json: FLAG, 'with-keys': FLAG, 'passphrase-file': TEXT };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const file = fileOf('backup FILE', positionals);
  await using context = await openContext();
  const { config, url, log, keyFile } = context;
  const passphrase = values['with-keys'] ? await passphraseOf(config, values['passphrase-file']) : undefined;
  const sealedKeys = keySealer(passphrase, { config, keyFile });
  const rows = await writeNew(file, async (draft) => {
    const written = await writeBackup({ url, log, now: context.clock.now(), sealedKeys }, draft);
    const facts = { to: file, with_keys: passphrase !== undefined };
    const entry = { action: 'backup.create', subject: { type: 'backup' }, facts } as const;
    await recordAudit(context, { ...accountContext(await firstAccountId(context.db)), ...entry });
    return written;
  });
  printObject({ file, rows: total(rows), with_keys: passphrase !== undefined }, values.json === true);
}

/** `restore FILE [--check | --keys-to FILE]`: writes the rows of a backup to an empty database, or only looks at the backup. */
export async function restoreCommand(args: readonly string[]): Promise<void> {
  const options = { json: FLAG, check: FLAG, 'keys-to': TEXT, 'passphrase-file': TEXT };
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const { check, 'keys-to': keysFile, 'passphrase-file': passphraseFile, json = false } = values;
  const file = fileOf('restore FILE', positionals);
  const { config } = readConfig(undefined, { mayLackKeys: true });
  const source = { file, header: await headerOf(file), config, passphraseFile };
  if (keysFile !== undefined) printObject(await writeKeys(source, keysFile), json);
  else printObject(check ? await look(source) : await restore(source), json);
}

interface Source {
  readonly file: string;
  readonly header: BackupHeader;
  readonly config: Config;
  readonly passphraseFile: string | undefined;
}

async function restore(source: Source): Promise<Readonly<Record<string, unknown>>> {
  const { file, header } = source;
  const config = await prepareKeys(source);
  let rows: RowCounts = {};
  const fill = async ({ url, keys }: Storage, log: Logger) => {
    rows = await restoreBackup(file, { url, keys, log });
  };
  await using context: CommandContext = await openContext({ config, mayCreate: true, fill }).catch((error: unknown) => {
    throw error instanceof KeyRingError && header.keys !== null
      ? commandError(`${error.message}; \`restore FILE --keys-to KEYS\` takes the keys out of this backup`)
      : error;
  });
  const facts = { from: file, made_at: header.made_at, rows: total(rows) };
  context.auditMark.renew();
  const entry = { action: 'backup.restore', subject: { type: 'backup' }, facts } as const;
  await recordAudit(context, { ...accountContext(await firstAccountId(context.db)), ...entry });
  return {
    restored: file,
    made_at: header.made_at,
    rows: total(rows),
    database: config.DATABASE_URL === undefined ? 'embedded' : 'external',
  };
}

/** Reads a backup to its end and decrypts some of it, without a database. */
async function look(source: Source): Promise<Readonly<Record<string, unknown>>> {
  const { made_at: madeAt, release, keys: sealed } = source.header;
  const keys = KeyRing.parse((await keysHere(source.config)) ?? (await keysOfBackup(source)));
  const { rows, readable } = await checkBackup(source.file, keys);
  return { file: source.file, made_at: madeAt, release, rows: total(rows), decrypted: readable, with_keys: sealed !== null };
}

/** Writes the encryption keys that a backup contains to a new file, whose content is a value for `SVC_ENCRYPTION_KEYS`. */
async function writeKeys(source: Source, path: string): Promise<Readonly<Record<string, unknown>>> {
  const keys = await keysOfBackup(source);
  await writeNew(path, (draft) => draft.writeFile(`${keys}\n`));
  return { keys: path };
}

/**
 * Gives an embedded database that has no keys yet those of the backup: otherwise it would get new ones.
 *
 * @returns the settings, with the keys of the backup where `DATABASE_URL` is set and the settings have none
 */
async function prepareKeys(source: Source): Promise<Config> {
  const { config } = source;
  if ((await keysHere(config)) !== undefined) return config;
  const keys = await keysOfBackup(source);
  if (config.DATABASE_URL !== undefined) return { ...config, SVC_ENCRYPTION_KEYS: keys };
  const directory = locateDataDirectory(dataDirectory(config));
  makeDataDirectory(directory);
  await keyFileOf(config, directory.path)?.create(keys);
  return config;
}

/** Returns the keys of the settings or beside the embedded database, as text; undefined when there are none. */
async function keysHere(config: Config): Promise<string | undefined> {
  if (config.SVC_ENCRYPTION_KEYS !== undefined || config.DATABASE_URL !== undefined) return config.SVC_ENCRYPTION_KEYS;
  return await keyFileOf(config, locateDataDirectory(dataDirectory(config)).path)?.read();
}

/** Returns the keys that the backup contains, as text. */
async function keysOfBackup({ header, config, passphraseFile }: Source): Promise<string> {
  if (header.keys === null)
    throw commandError(
      'the backup does not contain the encryption keys: set SVC_ENCRYPTION_KEYS, or put the file encryption-keys into the data directory',
    );
  return openSealedKeys(header.keys, await passphraseOf(config, passphraseFile));
}

async function passphraseOf({ SVC_BACKUP_PASSPHRASE_FILE: ofSettings }: Config, flag: string | undefined): Promise<string> {
  if (flag !== undefined) return readPassphrase(flag, '--passphrase-file');
  if (ofSettings !== undefined) return readPassphrase(ofSettings, 'SVC_BACKUP_PASSPHRASE_FILE');
  throw usageError(
    'the encryption keys need a passphrase: --passphrase-file FILE; create one with: openssl rand -base64 32 > FILE',
  );
}

function total(rows: RowCounts): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}
