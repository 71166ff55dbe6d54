import { randomUUID } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from '../../kit/error-code.ts';
import { socketUrl } from './postgres-socket.ts';

const CONNECT_MS = 2_000;
/** How long a command waits for the server of a running service: one that has ended refuses the connection at once. */
const SERVING_MS = 15_000;
const STOP_MS = 15_000;
/**
 * Maximum milliseconds to wait, once a server's socket accepts no connections any more, until the server removes its
 * `postmaster.pid`.
 */
const LAST_STEP_MS = 1_000;
const POLL_MS = 20;
/** Error codes that mean that no process listens on the socket file, or that there is none. */
const NOBODY_LISTENS: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTDIR', 'ENOTSOCK', 'EINVAL']);
/**
 * SQL that makes the server shut itself down (fast mode). The server runs the program in its own PID namespace, where the process
 * ID in `postmaster.pid` is valid, and in its own working directory, where that file is.
 */
const SHUT_DOWN = `copy (select 1) to program 'read -r pid < postmaster.pid && kill -INT "$pid"'`;

/**
 * Stops a server on this cluster that this process can neither see nor signal, such as one of another container that shares the
 * directory.
 *
 * @returns false if it still runs after 15 s
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
  // If the next server started earlier, this one might remove the next one's `postmaster.pid` as its last act.
  const end = performance.now() + LAST_STEP_MS;
  while (isStopping && existsSync(join(cluster, 'postmaster.pid')) && performance.now() < end) await pause(POLL_MS);
  return true;
}

/** Returns whether the server of a socket runs on exactly this cluster, not on a copy of it; false when it does not respond. */
export async function servesCluster(cluster: string, socketDir: string): Promise<boolean> {
  return (await ask(socketDir, (client) => isServing(client, cluster), SERVING_MS)) === true;
}

/**
 * Runs a query on the server of a socket.
 *
 * @returns 'no response' for a server that is suspended, starting, or out of connections: the operating system still accepts
 *   connections for it
 */
async function ask<T>(
  socketDir: string,
  question: (client: pg.Client) => Promise<T>,
  timeoutMs = CONNECT_MS,
): Promise<T | 'no response' | 'nobody listens'> {
  const client = new pg.Client({
    connectionString: socketUrl(socketDir),
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
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
 * Checks whether a server runs on exactly this folder, by creating a file that the server must then see. Nothing else proves it:
 * paths and process IDs mean something else in another container, and a copy of the folder has the same content.
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
