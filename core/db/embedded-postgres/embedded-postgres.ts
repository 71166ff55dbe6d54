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

/** Of the operating system (ENOSPC), in the server's language. */
const NO_SPACE = 'No space left on device';

export interface EmbeddedPostgresOptions extends DataDirectoryChoice {
  readonly log: Logger;
  /** Called when the database is being made. What takes long and does not need it may be done meanwhile. */
  readonly onWait?: (() => void) | undefined;
}

/**
 * A Postgres of our own: reachable through its socket by this user alone, restarted when it ends unasked, stopped by disposal.
 */
export interface EmbeddedPostgres extends AsyncDisposable {
  readonly url: string;
  /** Where the data lies, which may differ from what was asked for (`/var/lib/svc`). */
  readonly dataDir: string;
  /** Whether the server has said since the last call that its disk is full. */
  hasRunOut(): boolean;
}

/**
 * Starts the bundled Postgres on a data directory, which belongs to this process from then on.
 * @throws EmbeddedPostgresError with a message for people; in use by another process, unusable directory, no binaries
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

/** Whether a first start has made a database there. */
export function hasDatabase(choice: DataDirectoryChoice): boolean {
  return existsSync(join(locateDataDirectory(choice).cluster, 'PG_VERSION'));
}

/** The database of a service that runs on this data directory, for a command that wants to join it. */
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

/** A copy of the binaries must be within reach of the database's user, which for root only the system's place surely is. */
function binariesDirectory({ path, user }: DataDirectory, { systemDir = SYSTEM_DIRECTORY }: DataDirectoryChoice): string {
  return user ? systemDir : path;
}
