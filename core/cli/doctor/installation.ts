import type { Config } from '../../config/schema.ts';
import { locateDataDirectory } from '../../db/embedded-postgres/data-directory.ts';
import { findRunning, hasDatabase, startEmbeddedPostgres } from '../../db/embedded-postgres/embedded-postgres.ts';
import { KeyRing } from '../../kit/key-ring.ts';
import type { Logger } from '../../kit/logger.ts';
import { explain } from '../../process/start-fault.ts';
import { dataDirectory, existingKeys } from '../../process/storage.ts';
import { type Check, fail, ok, warn } from './check.ts';
import { checkDisk } from './disk.ts';

/** Where everything is kept, as far as that can be found out. */
export interface Installation extends AsyncDisposable {
  readonly disk: Check;
  /** Of the database; otherwise what there is to say about that there is none. */
  readonly database: string | Check;
  /** Undefined: there are none yet. */
  readonly keys: KeyRing | Check | undefined;
}

/** Joins the database of a running service, or starts the one that is there. Makes none. */
export async function findInstallation(config: Config, log: Logger): Promise<Installation> {
  const nothing = { [Symbol.asyncDispose]: async () => undefined };
  if (config.DATABASE_URL !== undefined) {
    const disk = ok('disk', 'the database is kept elsewhere');
    return { ...nothing, disk, database: config.DATABASE_URL, keys: KeyRing.parse(config.SVC_ENCRYPTION_KEYS ?? '') };
  }
  let path: string;
  try {
    path = locateDataDirectory(dataDirectory(config)).path;
  } catch (error) {
    const unseen = fail('database', 'was not looked at: its folder cannot be used', 'mend disk first');
    const fix = 'set SVC_DATA_DIR to a folder that this user can use';
    const keys = warn('encryption-keys', 'were not looked at', 'mend disk first');
    return { ...nothing, disk: fail('disk', explain(error), fix), database: unseen, keys };
  }
  return embedded(config, { path, log });
}

async function embedded(config: Config, { path, log }: { readonly path: string; readonly log: Logger }): Promise<Installation> {
  await using opened = new AsyncDisposableStack();
  const disk = await checkDisk(path);
  const url = await databaseUrl(config, { log, opened });
  const keys = typeof url === 'string' ? await keysIn(config, path) : undefined;
  const closing = opened.move();
  return { disk, database: url, keys, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

interface Opening {
  readonly log: Logger;
  readonly opened: AsyncDisposableStack;
}

async function databaseUrl(config: Config, { log, opened }: Opening): Promise<string | Check> {
  try {
    const running = await findRunning(dataDirectory(config));
    if (running !== undefined) return running.url;
    if (!hasDatabase(dataDirectory(config))) return ok('database', 'there is none yet: the first start makes it');
    return opened.use(await startEmbeddedPostgres({ ...dataDirectory(config), log })).url;
  } catch (error) {
    return fail('database', explain(error), 'mend what is named, then run doctor again');
  }
}

async function keysIn(config: Config, path: string): Promise<KeyRing | Check> {
  try {
    return await existingKeys(config, path);
  } catch (error) {
    const fix =
      'put the file "encryption-keys" back from your copy, or set SVC_ENCRYPTION_KEYS; nothing stored can be read without';
    return fail('encryption-keys', explain(error), fix);
  }
}
