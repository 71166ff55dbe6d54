import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from './config/schema.ts';
import { startEmbeddedPostgres } from './db/embedded-postgres.ts';
import { KeyRing, newKeyRingText } from './kit/key-ring.ts';
import type { Logger } from './kit/logger.ts';
import { writePrivateFile } from './kit/private-file.ts';

const DEFAULT_DATA_DIR = '.svc';
const KEYS_FILE = 'encryption-keys';

/** Where everything is kept, and the keys that open it. */
export interface Storage extends AsyncDisposable {
  /** Of the database. */
  readonly url: string;
  readonly dataDir: string;
  readonly keys: KeyRing;
}

type StorageConfig = Pick<Config, 'DATABASE_URL' | 'SVC_DATA_DIR' | 'SVC_ENCRYPTION_KEYS'>;

/** The database of `DATABASE_URL`, or the embedded one. @throws Error that tells the operator what to do */
export async function openStorage(config: StorageConfig, log: Logger): Promise<Storage> {
  if (config.DATABASE_URL !== undefined) {
    const keys = KeyRing.parse(config.SVC_ENCRYPTION_KEYS ?? '');
    return {
      url: config.DATABASE_URL,
      dataDir: config.SVC_DATA_DIR ?? DEFAULT_DATA_DIR,
      keys,
      [Symbol.asyncDispose]: async () => undefined,
    };
  }
  await using opened = new AsyncDisposableStack();
  const postgres = opened.use(await startEmbeddedPostgres({ ...dataDirectory(config), log }));
  const keys = KeyRing.parse(config.SVC_ENCRYPTION_KEYS ?? (await generatedKeys(postgres.dataDir)));
  const closing = opened.move();
  return { url: postgres.url, dataDir: postgres.dataDir, keys, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

export function dataDirectory(config: StorageConfig): { dataDir: string; explicitDataDir: boolean } {
  return { dataDir: config.SVC_DATA_DIR ?? DEFAULT_DATA_DIR, explicitDataDir: config.SVC_DATA_DIR !== undefined };
}

/** The keys of a database that is there. @throws when the file that should hold them cannot be read */
export async function existingKeys(config: Pick<Config, 'SVC_ENCRYPTION_KEYS'>, dataDir: string): Promise<KeyRing> {
  return KeyRing.parse(config.SVC_ENCRYPTION_KEYS ?? (await readFile(join(dataDir, KEYS_FILE), 'utf8')).trim());
}

/** The key ring of an embedded database: made at the first start, beside the data it opens. */
async function generatedKeys(dataDir: string): Promise<string> {
  const file = join(dataDir, KEYS_FILE);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ENOENT')) throw cause;
  }
  const text = newKeyRingText();
  await writePrivateFile(file, `${text}\n`);
  return text;
}
