import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '../../kit/error-code.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { closedTo, postgresUser, type RunAs } from './run-as.ts';

/**
 * The directory in which a service started by root keeps binaries and data when the project lies below a folder that the
 * database's user cannot enter.
 */
export const SYSTEM_DIRECTORY = '/var/lib/svc';

export interface DataDirectoryChoice {
  readonly dataDir: string;
  /** True when the operator has chosen the directory, which is then never replaced by another one. */
  readonly explicitDataDir: boolean;
  /** Tests use this instead of `/var/lib/svc`. */
  readonly systemDir?: string;
}

export interface DataDirectory {
  readonly path: string;
  /** The data folder of Postgres (its cluster) inside the directory, with mode 0700. */
  readonly cluster: string;
  /** The user that runs Postgres; undefined for the user of this process. */
  readonly user: RunAs | undefined;
}

/**
 * Decides where the data lies, without touching the disk.
 * @throws EmbeddedPostgresError when an explicit directory cannot be used
 */
export function locateDataDirectory({
  dataDir,
  explicitDataDir,
  systemDir = SYSTEM_DIRECTORY,
}: DataDirectoryChoice): DataDirectory {
  const wanted = describe(resolve(dataDir));
  const closed = closedParent(wanted);
  if (closed === undefined) return wanted;
  if (explicitDataDir) throw new EmbeddedPostgresError(closedMessage(wanted, closed));

  const fallback = describe(resolve(systemDir));
  const closedFallback = closedParent(fallback);
  if (closedFallback !== undefined) throw new EmbeddedPostgresError(closedMessage(fallback, closedFallback));
  return fallback;
}

/**
 * Creates the directory, private to this user. If root creates it, other users may pass through it (but not list it), because the
 * cluster inside belongs to the user that runs Postgres.
 */
export function makeDataDirectory({ path, cluster, user }: DataDirectory): void {
  try {
    mkdirSync(path, { recursive: true, mode: user ? 0o711 : 0o700 });
    if (user) chmodSync(path, statSync(path).mode | 0o011);
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw unusable(path, cause);
  }
  refuseForeignCluster(cluster);
}

/**
 * Returns the error for a directory that the operating system does not let this user use. It says which directory, why, and what
 * to do.
 */
export function unusable(path: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `cannot write data to ${path} (${errorCode(cause) ?? cause}): make it a directory that this user may write to, or set SVC_DATA_DIR to such a directory`,
    { cause },
  );
}

function describe(path: string): DataDirectory {
  const cluster = join(path, 'postgres');
  return { path, cluster, user: postgresUser(cluster) };
}

function closedParent({ path, user }: DataDirectory): string | undefined {
  return user && closedTo(user, dirname(path));
}

function closedMessage({ path, user }: DataDirectory, closed: string): string {
  return (
    `Postgres cannot run as root and runs as ${user?.name} instead, who cannot enter ${closed} and so cannot reach ${path}: ` +
    `set SVC_DATA_DIR to a directory that every user can reach (such as ${SYSTEM_DIRECTORY}), ` +
    `or allow it with chmod o+x ${closed}, or start as another user than root`
  );
}

function refuseForeignCluster(cluster: string): void {
  const euid = process.geteuid?.() ?? 0;
  const owner = statSync(cluster, { throwIfNoEntry: false })?.uid ?? euid;
  if (euid === 0 || owner === euid) return;
  throw new EmbeddedPostgresError(
    `${cluster} belongs to another user (uid ${owner}): start as that user, or as root if root created it, ` +
      `or give it to this user with chown -R ${euid}`,
  );
}
