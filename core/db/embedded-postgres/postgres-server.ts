import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { type DataDirectory, unusable } from './data-directory.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { BARE_ENVIRONMENT, identityOf, startFault } from './postgres-program.ts';
import { removeStaleSocket, socketUrl } from './postgres-socket.ts';
import { LOG_FILE } from './server-log.ts';

/** Settings for a service that shares a small machine. None of them puts acknowledged writes at risk. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  max_connections: '100',
  shared_buffers: '32MB',
  max_wal_size: '128MB',
  min_wal_size: '32MB',
  // Nothing replicates from a server without a network address.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_parallel_workers: '0',
  io_method: 'sync',
  jit: 'off',
  huge_pages: 'off',
  autovacuum: 'on',
  // Keeps statements and error details out of the log: they contain tenants' values.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  cluster_name: 'svc',
};

const MAX_LOG_BYTES = 5 * 1024 * 1024;
const LOG_TAIL_LINES = 5;
const READY_POLL_MS = 10;
// Long, because recovery after a crash may have to replay all of max_wal_size.
const READY_TIMEOUT_MS = 60_000;
const FAST_STOP_MS = 10_000;
// A worker of a server that was killed may hold its shared memory for a moment; the next server refuses to start until it is
// gone.
const START_TRIES = 8;
const START_RETRY_MS = 150;

export interface ServerPlan {
  readonly directory: DataDirectory;
  readonly binaries: PostgresBinaries;
  readonly socketDir: string;
}

/**
 * Starts the server and waits until it accepts connections; no other server may be running on the cluster.
 * @throws EmbeddedPostgresError with the last lines of its log
 */
export async function startServer(plan: ServerPlan): Promise<ChildProcess> {
  for (let tries = 1; ; tries += 1) {
    removeStaleSocket(plan.socketDir);
    const child = await launch(plan);
    if (await isReady(child, socketUrl(plan.socketDir))) return child;
    if (tries === START_TRIES) throw new EmbeddedPostgresError(`the database does not start: ${logTail(plan.directory)}`);
    await pause(START_RETRY_MS);
  }
}

/** Stops the server: rolls open transactions back and leaves a cluster that needs no recovery. */
export async function stopServer(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const impatience = setTimeout(() => child.kill('SIGQUIT'), FAST_STOP_MS);
  await ended;
  clearTimeout(impatience);
}

export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function launch({ directory, binaries, socketDir }: ServerPlan): Promise<ChildProcess> {
  const { cluster, user } = directory;
  const settings = Object.entries({ ...SETTINGS, unix_socket_directories: quoteListItem(socketDir) });
  const log = openLog(directory);
  try {
    const child = spawn(binaries.postgres, ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])], {
      ...identityOf(user),
      cwd: '/',
      env: BARE_ENVIRONMENT,
      // Puts the server in its own process group. Ctrl-C at the terminal then reaches only this process, which stops the server
      // after its last query.
      detached: true,
      stdio: ['ignore', log, log],
    });
    await once(child, 'spawn');
    return child;
  } catch (cause) {
    throw startFault(cause, binaries.postgres, user);
  } finally {
    closeSync(log);
  }
}

/** Quotes a path for `unix_socket_directories`, a comma-separated list of names that are quoted like identifiers. */
function quoteListItem(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}

async function isReady(child: ChildProcess, url: string): Promise<boolean> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!hasEnded(child)) {
    if (await answers(url)) return true;
    if (performance.now() > deadline) {
      await stopServer(child);
      return false;
    }
    await pause(READY_POLL_MS);
  }
  return false;
}

/** Returns whether a server accepts connections at this URL. */
export async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Opens the server's log. It is a file, not a pipe, so that a server that outlives this process can still write to it. */
function openLog({ path, user }: DataDirectory): number {
  const file = join(path, LOG_FILE);
  try {
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_LOG_BYTES) truncateSync(file);
    const log = openSync(file, 'a', 0o600);
    if (user) chownSync(file, user.uid, user.gid);
    return log;
  } catch (cause) {
    throw unusable(path, cause);
  }
}

function logTail({ path }: DataDirectory): string {
  const lines = readFileSync(join(path, LOG_FILE), 'utf8').trimEnd().split('\n');
  return lines.slice(-LOG_TAIL_LINES).join(' | ');
}
