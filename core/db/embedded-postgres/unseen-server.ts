import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from '../../kit/error-code.ts';
import { socketUrl } from './postgres-socket.ts';

const CONNECT_MS = 2_000;
const STOP_MS = 15_000;
/** Maximum milliseconds between the end of a server's socket and the removal of its file. */
const LAST_STEP_MS = 1_000;
const POLL_MS = 20;
/** Error codes for a socket file without a process behind it, or for no socket file at all. */
const NOBODY_LISTENS: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTDIR', 'ENOTSOCK', 'EINVAL']);
/**
 * SQL by which the server itself begins a fast shutdown: it runs the program in its own PID namespace, in which the process ID in
 * its file is valid, and in its own working directory.
 */
const SHUT_DOWN = `copy (select 1) to program 'read -r pid < postmaster.pid && kill -INT "$pid"'`;

/**
 * Stops a server on this cluster that this process can neither see nor signal, such as one of another container that shares the
 * directory.
 *
 * @returns false when it is still there
 */
export async function stopUnseenServer(cluster: string, socketDir: string): Promise<boolean> {
  const deadline = performance.now() + STOP_MS;
  let isStopping = false;
  for (;;) {
    const isOurs = await ask(socketDir, async (client) => {
      const serves = await isServing(client, cluster);
      isStopping ||= serves;
      if (serves) await client.query(SHUT_DOWN);
      return serves;
    });
    if (isOurs === 'nobody listens') break;
    if (isOurs === false) return true;
    if (performance.now() > deadline) return false;
    await pause(POLL_MS);
  }
  // Otherwise the last act of this server might be to remove the file of the next one.
  const end = performance.now() + LAST_STEP_MS;
  while (isStopping && existsSync(join(cluster, 'postmaster.pid')) && performance.now() < end) await pause(POLL_MS);
  return true;
}

/** Returns whether the server of a socket runs on exactly this cluster, not on a copy of it; false when it does not respond. */
export async function servesCluster(cluster: string, socketDir: string): Promise<boolean> {
  return (await ask(socketDir, (client) => isServing(client, cluster))) === true;
}

/**
 * Runs a query on the server of a socket.
 *
 * @returns 'no response' for a server that is stopped, starting or full: the operating system accepts connections for it
 */
async function ask<T>(
  socketDir: string,
  question: (client: pg.Client) => Promise<T>,
): Promise<T | 'no response' | 'nobody listens'> {
  const client = new pg.Client({
    connectionString: socketUrl(socketDir),
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await question(client);
  } catch (error) {
    return NOBODY_LISTENS.has(errorCode(error)) ? 'nobody listens' : 'no response';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Checks with a new file whether a server runs on this folder: paths and process IDs mean something else in another container,
 * and a copy has the same content, but a new file is in one of them only.
 */
async function isServing(client: pg.Client, cluster: string): Promise<boolean> {
  const name = `seen-${randomUUID()}`;
  const mark = join(cluster, name);
  writeFileSync(mark, '');
  try {
    const { rows } = await client.query('select (pg_stat_file($1, true)).size is not null as is_there', [name]);
    return rows[0]?.is_there === true;
  } finally {
    rmSync(mark, { force: true });
  }
}
