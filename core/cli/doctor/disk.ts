import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '../../kit/error-code.ts';
import { type Check, fail, ok, warn } from './check.ts';

const NAME = 'disk';
const MEGABYTE = 1024 * 1024;
const SCARCE_MB = 1024;
const TOO_LITTLE_MB = 100;
const FIX = 'make the directory writable for this user, or set SVC_DATA_DIR to one that is';

/** @param freeMegabytes free space on the disk that holds a folder */
export async function checkDisk(dataDir: string, freeMegabytes = freeMegabytesOf): Promise<Check> {
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
