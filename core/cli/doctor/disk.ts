import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { access, constants, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Check, fail, ok, warn } from './check.ts';

const NAME = 'disk';
const MEGABYTE = 1024 * 1024;
const SCARCE_MB = 1024;
const TOO_LITTLE_MB = 100;
const FIX = 'make it a directory that this user may write to, or set SVC_DATA_DIR to one';

/** @param freeMegabytes of the disk that a folder is on */
export async function checkDisk(dataDir: string, freeMegabytes = freeMegabytesOf): Promise<Check> {
  const path = resolve(dataDir);
  const folder = nearestFolder(path);
  try {
    await tryToWrite(path, folder);
  } catch (error) {
    return fail(NAME, `nothing can be written to ${path} (${reasonOf(error)})`, FIX);
  }
  const free = await freeMegabytes(folder);
  const message = `${path} is writable, ${free} MB are free`;
  if (free < TOO_LITTLE_MB) return fail(NAME, message, `make room: the database stops when the disk is full`);
  if (free < SCARCE_MB) return warn(NAME, message, `make room: the operation log and the database's own log grow`);
  return ok(NAME, message);
}

async function tryToWrite(path: string, folder: string): Promise<void> {
  // What is not there yet is made by the first start, in the folder that is.
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

function reasonOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
