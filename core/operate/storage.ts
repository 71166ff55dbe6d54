import { join } from 'node:path';
import type { Config } from '../config/schema.ts';
import { startEmbeddedPostgres } from '../db/embedded-postgres/embedded-postgres.ts';
import { KeyRing, KeyRingError } from '../kit/key-ring.ts';
import { KeyRingFile } from '../kit/key-ring-file.ts';
import type { Logger } from '../kit/logger.ts';

const DEFAULT_DATA_DIR = '.svc';
const KEYS_FILE = 'encryption-keys';

/** Where everything is kept, and the keys that open it. */
export interface Storage extends AsyncDisposable {
  /** Of the database. */
  readonly url: string;
  readonly dataDir: string;
  readonly keys: KeyRing;
  /** Where the keys are from; undefined: from `SVC_ENCRYPTION_KEYS`. */
  readonly keyFile: KeyRingFile | undefined;
  /** No other process uses this database while this one does. */
  readonly isExclusive: boolean;
  /** Whether the embedded server has said since the last call that its disk is full. */
  readonly hasRunOut?: () => boolean;
}

type StorageConfig = Pick<Config, 'DATABASE_URL' | 'SVC_DATA_DIR' | 'SVC_ENCRYPTION_KEYS'>;

/**
 * The database of `DATABASE_URL`, or the embedded one.
 *
 * @param onWait as of `startEmbeddedPostgres`
 * @throws Error that says what the operator can do
 */
export async function openStorage(config: StorageConfig, log: Logger, onWait?: () => void): Promise<Storage> {
  if (config.DATABASE_URL !== undefined) {
    const keys = KeyRing.parse(config.SVC_ENCRYPTION_KEYS ?? '');
    return {
      url: config.DATABASE_URL,
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
    hasRunOut: postgres.hasRunOut,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

export function dataDirectory(config: StorageConfig): { dataDir: string; explicitDataDir: boolean } {
  return { dataDir: config.SVC_DATA_DIR ?? DEFAULT_DATA_DIR, explicitDataDir: config.SVC_DATA_DIR !== undefined };
}

/** The keys of a database that is there. @throws KeyRingError when the file that should hold them is gone */
export async function existingKeys(config: Pick<Config, 'SVC_ENCRYPTION_KEYS'>, dataDir: string): Promise<KeyRing> {
  const text = config.SVC_ENCRYPTION_KEYS ?? (await keyFileIn(dataDir).read());
  if (text === undefined) throw lostKeys(dataDir);
  return KeyRing.parse(text);
}

/**
 * The key ring of an embedded database, beside the data that it opens. Made for an empty one only: new keys beside old data
 * would open nothing, and would replace the right ones in the next backup.
 */
async function keysOf({ url, dataDir }: { readonly url: string; readonly dataDir: string }, log: Logger): Promise<string> {
  const file = keyFileIn(dataDir);
  const existing = await file.read();
  if (existing !== undefined) return existing;
  if (await holdsEncrypted(url, log)) throw lostKeys(dataDir);
  return await file.create();
}

/** Loads what it needs itself: a start asks this once in its life, and begins its database sooner without it. */
async function holdsEncrypted(url: string, log: Logger): Promise<boolean> {
  const [{ openDatabase }, { hasEncryptionKeys }] = await Promise.all([
    import('../db/database.ts'),
    import('./keys/encryption-keys.ts'),
  ]);
  const db = openDatabase({ url, poolSize: 1, log });
  try {
    return await hasEncryptionKeys(db);
  } finally {
    await db.destroy();
  }
}

/** Undefined when the keys are given by the variable. */
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
      `restore ${KEYS_FILE} from a backup, or set SVC_ENCRYPTION_KEYS to what it held. To begin anew without the data, ` +
      `move ${dataDir} away`,
  );
}
