import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../kit/logger.ts';
import {
  type DataDirectory,
  type DataDirectoryChoice,
  locateDataDirectory,
  makeDataDirectory,
  SYSTEM_DIRECTORY,
} from './data-directory.ts';
import { readPidFile, socketDirectories, stopLeftoverServer } from './leftover-server.ts';
import { locatePackage, prepareBinaries } from './postgres-binaries.ts';
import { ensureCluster } from './postgres-cluster.ts';
import { claimDirectory } from './postgres-owner.ts';
import { removeSocketDirectory, socketDirectory, socketUrl } from './postgres-socket.ts';
import { ServerLog } from './server-log.ts';
import { SupervisedServer } from './supervised-server.ts';
import { servesCluster } from './unseen-server.ts';

/** The message for ENOSPC in the server's log, which is always in English. */
const NO_SPACE = 'No space left on device';

export interface EmbeddedPostgresOptions extends DataDirectoryChoice {
  readonly log: Logger;
  /**
   * Called when the creation of the database has begun. It takes a second or two, in which the caller may do long work that does
   * not need the database.
   */
  readonly onWait?: (() => void) | undefined;
}

/**
 * A Postgres server that this process runs. Only this user can reach it, through its socket. It is restarted when it ends
 * unexpectedly, and stopped by disposal.
 */
export interface EmbeddedPostgres extends AsyncDisposable {
  readonly url: string;
  /** The directory of the data: the requested one, or `/var/lib/svc` (see `locateDataDirectory`). */
  readonly dataDir: string;
  /** Returns whether the server has reported since the last call that its disk is full. */
  hasRunOut(): boolean;
}

/**
 * Starts the bundled Postgres on a data directory, which belongs to this process from then on.
 * @throws EmbeddedPostgresError when the directory is in use by another process or unusable, or when the binaries are missing
 */
export async function startEmbeddedPostgres({
  log,
  onWait = () => undefined,
  ...choice
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const directory = locateDataDirectory(choice);
  makeDataDirectory(directory);

  await using opened = new AsyncDisposableStack();
  opened.use(await claimDirectory(directory.path));
  await stopLeftoverServer(directory.cluster);

  const binaries = await prepareBinaries(locatePackage(), { user: directory.user, copyTo: binariesDirectory(directory, choice) });
  await ensureCluster(directory, binaries, onWait);
  const socketDir = socketDirectory(directory);
  opened.defer(() => removeSocketDirectory(directory));
  const serverLog = new ServerLog(directory);
  opened.use(await SupervisedServer.start({ directory, binaries, socketDir }, log));

  const closing = opened.move();
  const hasRunOut = () => serverLog.hasNew(NO_SPACE);
  return { url: socketUrl(socketDir), dataDir: directory.path, hasRunOut, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

/** Returns whether the data directory already has a database. */
export function hasDatabase(choice: DataDirectoryChoice): boolean {
  return existsSync(join(locateDataDirectory(choice).cluster, 'PG_VERSION'));
}

/**
 * Finds the database of the service that is running on this data directory, for a command that wants to use the database at the
 * same time.
 */
export async function findRunning(
  choice: DataDirectoryChoice,
): Promise<{ url: string; dataDir: string; pid: number } | undefined> {
  const { path, cluster } = locateDataDirectory(choice);
  const found = readPidFile(cluster);
  if (!found) return undefined;
  for (const socketDir of socketDirectories(cluster)) {
    if (await servesCluster(cluster, socketDir)) return { url: socketUrl(socketDir), dataDir: path, pid: found.pid };
  }
  return undefined;
}

/**
 * Returns the folder for a copy of the binaries. The database's user must be able to reach it; when root starts the service, only
 * the system directory is certain to be reachable for that user.
 */
function binariesDirectory({ path, user }: DataDirectory, { systemDir = SYSTEM_DIRECTORY }: DataDirectoryChoice): string {
  return user ? systemDir : path;
}
