import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../../config/schema.ts';
import { locateDataDirectory } from '../../db/embedded-postgres/data-directory.ts';
import { findRunning, hasDatabase, startEmbeddedPostgres } from '../../db/embedded-postgres/embedded-postgres.ts';
import { errorCode } from '../../kit/error-code.ts';
import { KeyRing } from '../../kit/key-ring.ts';
import type { Logger } from '../../kit/logger.ts';
import { explain } from '../../operate/start-fault.ts';
import { dataDirectory, existingKeys } from '../../operate/storage.ts';
import { type DoctorCheck, fail, ok, warn } from './check.ts';

const NAME = 'disk';
const MEGABYTE = 1024 * 1024;
const SCARCE_MB = 1024;
const TOO_LITTLE_MB = 100;
const NO_DATABASE =
  'none yet: the first start creates it; if the service has run before, give doctor its SVC_DATA_DIR or DATABASE_URL';
const FIX = 'make the directory writable for this user, or set SVC_DATA_DIR to one that is';

/** The data directory, database and keys, as far as they could be found. */
export interface Installation extends AsyncDisposable {
  readonly disk: DoctorCheck;
  /** Database URL, or a check that explains why there is none. */
  readonly database: string | DoctorCheck;
  /** The keys, or a check that explains why they cannot be read; undefined when there are none yet. */
  readonly keys: KeyRing | DoctorCheck | undefined;
}

/** Finds the database of a running service, or starts an existing embedded one. Creates none. */
export async function findInstallation(config: Config, log: Logger): Promise<Installation> {
  const nothing = { [Symbol.asyncDispose]: async () => undefined };
  if (config.DATABASE_URL !== undefined) {
    const disk = ok('disk', 'not used: DATABASE_URL is set');
    return { ...nothing, disk, database: config.DATABASE_URL, keys: KeyRing.parse(config.SVC_ENCRYPTION_KEYS ?? '') };
  }
  let path: string;
  try {
    path = locateDataDirectory(dataDirectory(config)).path;
  } catch (error) {
    const unchecked = fail('database', 'not checked: the data directory is unusable', 'fix the disk check first');
    const fix = 'set SVC_DATA_DIR to a directory that this user can write to';
    const keys = warn('encryption-keys', 'not checked', 'fix the disk check first');
    return { ...nothing, disk: fail('disk', explain(error), fix), database: unchecked, keys };
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

interface OpenDatabase {
  readonly log: Logger;
  readonly opened: AsyncDisposableStack;
}

async function databaseUrl(config: Config, { log, opened }: OpenDatabase): Promise<string | DoctorCheck> {
  try {
    const running = await findRunning(dataDirectory(config));
    if (running !== undefined) return running.url;
    if (!hasDatabase(dataDirectory(config))) return ok('database', NO_DATABASE);
    return opened.use(await startEmbeddedPostgres({ ...dataDirectory(config), log })).url;
  } catch (error) {
    return fail('database', explain(error), 'fix this, then run doctor again');
  }
}

async function keysIn(config: Config, path: string): Promise<KeyRing | DoctorCheck> {
  try {
    return await existingKeys(config, path);
  } catch (error) {
    const fix = 'restore the file "encryption-keys" from your backup, or set SVC_ENCRYPTION_KEYS; stored secrets need it';
    return fail('encryption-keys', explain(error), fix);
  }
}

/**
 * Checks that the data directory is writable and that its disk has space.
 *
 * @param freeMegabytes returns the free space on the disk that holds a folder
 */
export async function checkDisk(dataDir: string, freeMegabytes = freeMegabytesOf): Promise<DoctorCheck> {
  const path = resolve(dataDir);
  const folder = nearestFolder(path);
  try {
    await assertWritable(path, folder);
  } catch (error) {
    return fail(NAME, `${path} is not writable (${errorCode(error) ?? error})`, FIX);
  }
  const free = await freeMegabytes(folder);
  const message = `${path} is writable, ${free} MB free`;
  if (free < TOO_LITTLE_MB) return fail(NAME, message, 'free up space: the database stops when the disk is full');
  if (free < SCARCE_MB) return warn(NAME, message, "free up space: the operation log and the database's own log grow");
  return ok(NAME, message);
}

async function assertWritable(path: string, folder: string): Promise<void> {
  // The first start creates the missing folders inside this one.
  if (folder !== path) return access(folder, constants.W_OK | constants.X_OK);
  const file = join(folder, `.doctor-${randomUUID()}`);
  try {
    await writeFile(file, '', { flag: 'wx' });
  } finally {
    await rm(file, { force: true }).catch(() => undefined);
  }
}

async function freeMegabytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.floor((bavail * bsize) / MEGABYTE);
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}
