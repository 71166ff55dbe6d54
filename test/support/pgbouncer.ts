import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identityOf } from '../../core/db/embedded-postgres/postgres-program.ts';
import { answers, hasEnded } from '../../core/db/embedded-postgres/postgres-server.ts';
import { postgresUser } from '../../core/db/embedded-postgres/run-as.ts';
import type { TestDatabase } from './database.ts';
import { temporaryDiskFolder } from './folders.ts';
import { freePort } from './free-port.ts';
import { skipBecause } from './skip.ts';
import { until } from './until.ts';

/** Debian installs it where the PATH of normal users does not lead. */
const PROGRAM = '/usr/sbin/pgbouncer';
const MAX_CLIENTS = 500;

/** Skips the running test, or all tests of a suite when called from a `before` hook, if PgBouncer is not installed. */
export function needPgbouncer(context: Mocha.Context): void {
  if (!existsSync(PROGRAM)) skipBecause(context, `${PROGRAM} is missing; Debian's package is pgbouncer`);
}

export interface Pgbouncer extends AsyncDisposable {
  /** The URL of the same database, reached through PgBouncer. */
  readonly url: string;
}

/** Starts PgBouncer in transaction mode in front of a database. @param sessions the number of sessions that its clients share */
export async function startPgbouncer(database: Pick<TestDatabase, 'url'>, sessions: number): Promise<Pgbouncer> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await temporaryDiskFolder());
  const { username, port, pathname } = new URL(database.url);
  const own = await freePort();
  const users = join(folder.path, 'users.txt');
  const file = join(folder.path, 'pgbouncer.ini');
  await writeFile(users, `"${username}" ""\n`);
  await writeFile(
    file,
    `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
max_client_conn = ${MAX_CLIENTS}
default_pool_size = ${sessions}
`,
  );
  // It refuses to run as root.
  const user = postgresUser(folder.path);
  if (user) for (const path of [folder.path, users, file]) chownSync(path, user.uid, user.gid);
  const child = spawn(PROGRAM, [file], { ...identityOf(user), cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  opened.defer(async () => {
    if (hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  const url = `postgres://${username}@127.0.0.1:${own}${pathname}`;
  await until('PgBouncer is ready', async () => {
    if (hasEnded(child)) throw new Error(`PgBouncer ended:\n${output}`);
    return answers(url);
  });
  const closing = opened.move();
  return { url, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}
