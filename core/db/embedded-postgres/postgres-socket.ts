import { chownSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DataDirectory, unusable } from './data-directory.ts';
import { ROLE } from './postgres-cluster.ts';
import { closedTo, type RunAs } from './run-as.ts';

const SOCKET_NAME = '.s.PGSQL.5432';
// Linux allows 107 bytes for the path of a socket, macOS 103 (sun_path in unix(7)).
const MAX_PATH_BYTES = 100;
const RECORD = 'socket-directory';
const FALLBACK_TMP = '/tmp';

/**
 * Returns the folder of the server's socket: the cluster itself or, if its path is too long, a private temporary folder, which is
 * recorded in the data directory.
 */
export function socketDirectory(directory: DataDirectory): string {
  if (fits(directory.cluster)) return directory.cluster;
  const recorded = readRecord(directory);
  if (recorded !== undefined && isPrivate(recorded, directory.user)) return recorded;
  return makeTemporary(directory);
}

/** Removes the temporary folder, if one was created. */
export function removeSocketDirectory(directory: DataDirectory): void {
  const recorded = readRecord(directory);
  if (recorded === undefined) return;
  rmSync(recorded, { recursive: true, force: true });
  rmSync(join(directory.path, RECORD), { force: true });
}

/**
 * Removes the socket and the lock file that a killed server left in the folder. The lock file would keep the next server from
 * starting if the process ID in it now belongs to another process, or to a process that has ended but was not reaped, as in
 * containers without an init. To be called only when no server runs.
 */
export function removeStaleSocket(socketDir: string): void {
  rmSync(socketPath(socketDir), { force: true });
  rmSync(`${socketPath(socketDir)}.lock`, { force: true });
}

/** Returns the URL of a socket, in a form that pg, libpq and the URL parser all understand. */
export function socketUrl(socketDir: string): string {
  return `postgresql://${ROLE}@localhost/postgres?host=${encodeURIComponent(socketDir)}`;
}

function makeTemporary({ path, user }: DataDirectory): string {
  try {
    const made = mkdtempSync(join(temporaryRoot(user), 'svc-'));
    if (user) chownSync(made, user.uid, user.gid);
    writeFileSync(join(path, RECORD), made, { mode: 0o600 });
    return made;
  } catch (cause) {
    throw unusable(path, cause);
  }
}

function temporaryRoot(user: RunAs | undefined): string {
  const usual = tmpdir();
  const isUsable = fits(join(usual, 'svc-xxxxxx')) && (user === undefined || closedTo(user, usual) === undefined);
  return isUsable ? usual : FALLBACK_TMP;
}

function socketPath(socketDir: string): string {
  return join(socketDir, SOCKET_NAME);
}

function fits(socketDir: string): boolean {
  return Buffer.byteLength(socketPath(socketDir)) < MAX_PATH_BYTES;
}

function readRecord({ path }: DataDirectory): string | undefined {
  try {
    return readFileSync(join(path, RECORD), 'utf8');
  } catch {
    return undefined;
  }
}

/**
 * Returns whether the recorded folder is still private: it is in a folder that all users share, so somebody may have put
 * something else in its place since it was recorded.
 */
function isPrivate(path: string, user: RunAs | undefined): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  const owner = user?.uid ?? process.geteuid?.();
  return found?.isDirectory() === true && found.uid === owner && (found.mode & 0o077) === 0;
}
