import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import { settleTls } from '../db/client-config.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres/embedded-postgres.ts';
import { type DiskUsage, diskUsage } from '../kit/disk-usage.ts';
import { KeyRing, KeyRingError } from '../kit/key-ring.ts';
import { KeyRingFile } from '../kit/key-ring-file.ts';
import type { Logger } from '../kit/logger.ts';

const DEFAULT_DATA_DIR = '.svc';
const KEYS_FILE = 'encryption-keys';

/** The database in which everything is kept, and the keys that decrypt it. */
export interface Storage extends AsyncDisposable {
  /** Database URL. */
  readonly url: string;
  readonly dataDir: string;
  readonly keys: KeyRing;
  /** The file of the keys; undefined when they come from `SVC_ENCRYPTION_KEYS`. */
  readonly keyFile: KeyRingFile | undefined;
  /** True when no other process uses this database while this one does. */
  readonly isExclusive: boolean;
  /** Reads the space of the embedded server's disk. */
  readonly disk?: () => Promise<DiskUsage>;
  /** Returns whether the embedded server has reported since the last call that its disk is full. */
  readonly hasRunOut?: () => boolean;
}

type StorageConfig = Pick<Config, 'DATABASE_URL' | 'SVC_DATA_DIR' | 'SVC_ENCRYPTION_KEYS'>;

/**
 * Opens the database of `DATABASE_URL`, or the embedded one.
 *
 * @param onWait see `startEmbeddedPostgres`
 * @throws Error whose message says what the operator can do
 */
export async function openStorage(config: StorageConfig, log: Logger, onWait?: () => void): Promise<Storage> {
  if (config.DATABASE_URL !== undefined) {
    const keys = KeyRing.parse(config.SVC_ENCRYPTION_KEYS ?? '');
    return {
      url: await settleTls(config.DATABASE_URL),
      dataDir: config.SVC_DATA_DIR ?? DEFAULT_DATA_DIR,
      keys,
      keyFile: undefined,
      isExclusive: false,
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  await using opened = new AsyncDisposableStack();
  const postgres = opened.use(await startEmbeddedPostgres({ ...dataDirectory(config), log, onWait }));
  const keyFile = keyFileOf(config, postgres.dataDir);
  const keys = KeyRing.parse(config.SVC_ENCRYPTION_KEYS ?? (await keysOf(postgres, log)));
  const closing = opened.move();
  return {
    url: postgres.url,
    dataDir: postgres.dataDir,
    keys,
    keyFile,
    isExclusive: true,
    disk: () => diskUsage(postgres.dataDir),
    hasRunOut: postgres.hasRunOut,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

export function dataDirectory(config: StorageConfig): { dataDir: string; explicitDataDir: boolean } {
  return { dataDir: config.SVC_DATA_DIR ?? DEFAULT_DATA_DIR, explicitDataDir: config.SVC_DATA_DIR !== undefined };
}

/** Returns the keys of an existing database. @throws KeyRingError when the file that should hold them is missing */
export async function existingKeys(config: Pick<Config, 'SVC_ENCRYPTION_KEYS'>, dataDir: string): Promise<KeyRing> {
  const text = config.SVC_ENCRYPTION_KEYS ?? (await keyFileIn(dataDir).read());
  if (text === undefined) throw lostKeys(dataDir);
  return KeyRing.parse(text);
}

/**
 * Returns the keys of an embedded database from the file beside its data. They are created for an empty database only: new keys
 * could not decrypt existing data, and would replace the right keys in the next backup.
 */
async function keysOf({ url, dataDir }: { readonly url: string; readonly dataDir: string }, log: Logger): Promise<string> {
  const file = keyFileIn(dataDir);
  const existing = await file.read();
  if (existing !== undefined) return existing;
  if (await holdsEncrypted(url, log)) throw lostKeys(dataDir);
  return await file.create();
}

/**
 * Returns whether the database holds encrypted values. Imports its modules dynamically: it is called once in the life of an
 * installation, and every other start opens the database sooner without loading them.
 */
async function holdsEncrypted(url: string, log: Logger): Promise<boolean> {
  const [{ openDatabase }, { hasEncryptionKeys }] = await Promise.all([
    import('../db/database.ts'),
    import('./keys/encryption-key-store.ts'),
  ]);
  const db = openDatabase({ url, poolSize: 1, log });
  try {
    return await hasEncryptionKeys(db);
  } finally {
    await db.destroy();
  }
}

/** Returns the file of the keys; undefined when they are set by `SVC_ENCRYPTION_KEYS`. */
export function keyFileOf(config: Pick<Config, 'SVC_ENCRYPTION_KEYS'>, dataDir: string): KeyRingFile | undefined {
  return config.SVC_ENCRYPTION_KEYS === undefined ? keyFileIn(dataDir) : undefined;
}

function keyFileIn(dataDir: string): KeyRingFile {
  return new KeyRingFile(join(dataDir, KEYS_FILE));
}

function lostKeys(dataDir: string): KeyRingError {
  return new KeyRingError(
    'unknown_key',
    `${join(dataDir, KEYS_FILE)} is missing, and without it nothing in this database can be decrypted: ` +
      `restore ${KEYS_FILE} from a backup, or set SVC_ENCRYPTION_KEYS to its content. To start again without the data, ` +
      `move ${dataDir} away`,
  );
}
