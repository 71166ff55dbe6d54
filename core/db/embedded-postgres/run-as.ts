import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An operating system user that a child process runs as. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

// The IDs that the kernel uses for nobody, for systems whose user list does not name that user.
const NOBODY: RunAs = { uid: 65534, gid: 65534, name: 'nobody' };

/**
 * Returns the user to run Postgres as; undefined for the user of this process. Postgres refuses to run as root, so a service
 * started by root runs it as the owner of an existing cluster, else as `postgres` if there is such a user, else as `nobody`.
 */
export function postgresUser(cluster: string): RunAs | undefined {
  if (process.geteuid?.() !== 0) return undefined;
  return ownerOf(cluster) ?? userNamed('postgres') ?? userNamed('nobody') ?? NOBODY;
}

/**
 * Returns the first folder or file on the way to `path` that `user` may not enter or, if it is a file, execute; parts of the path
 * that do not exist yet count as accessible.
 */
export function closedTo(user: RunAs, path: string): string | undefined {
  return ancestry(realPath(path)).find((part) => !mayEnter(user, part));
}

function ownerOf(path: string): RunAs | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid, name: `uid ${found.uid}` } : undefined;
}

function userNamed(name: string): RunAs | undefined {
  const line = userList().find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid), name } : undefined;
}

function userList(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * Resolves the symbolic links in the part of the path that exists, because the permissions that matter are those of the real
 * folders.
 */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), path.slice(parent.length));
  }
}

function ancestry(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [...ancestry(parent), path];
}

function mayEnter(user: RunAs, path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return true;
  if (found.uid === user.uid) return (found.mode & 0o100) !== 0;
  if (found.gid === user.gid) return (found.mode & 0o010) !== 0;
  return (found.mode & 0o001) !== 0;
}
