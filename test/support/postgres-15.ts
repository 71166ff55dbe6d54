import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { claimDirectory } from '../../core/db/embedded-postgres/postgres-owner.ts';
import { identityOf, runProgram } from '../../core/db/embedded-postgres/postgres-program.ts';
import { answers, hasEnded, stopServer } from '../../core/db/embedded-postgres/postgres-server.ts';
import { postgresUser, type RunAs } from '../../core/db/embedded-postgres/run-as.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { cloneDatabase, emptyDatabase, makeTemplate, type TestDatabase } from './database.ts';
import { databaseRoot } from './database-root.ts';
import { freePort } from './free-port.ts';
import { skipBecause } from './skip.ts';

/** The folder in which Debian and Ubuntu install Postgres 15 (package `postgresql-15`). */
const BINARIES = '/usr/lib/postgresql/15/bin';
/**
 * The prefix of the names of data folders. If this test run is killed, the next run recognizes its folders by the prefix and
 * removes them.
 */
const PREFIX = 'svc-test-';
const ROLE = 'svc';
const POLL_MS = 20;

/** A server of the oldest supported version, over TCP on loopback, as an operator would have it behind `DATABASE_URL`. */
export interface Postgres15 extends AsyncDisposable {
  /** Creates a database without any table. */
  emptyDatabase(): Promise<TestDatabase>;
  /** Creates a database with the current schema. */
  cloneDatabase(): Promise<TestDatabase>;
}

/** Returns the path of a program of Postgres 15. */
export function programOf(name: string): string {
  return join(BINARIES, name);
}

/** Skips the running test, or all tests of a suite when called from a `before` hook, if Postgres 15 is not installed. */
export function needPostgres15(context: Mocha.Context): void {
  if (!existsSync(programOf('postgres')))
    skipBecause(context, `no Postgres 15 in ${BINARIES}; Debian's package is postgresql-15`);
}

export interface Postgres15Options {
  /** The certificate with which the server offers TLS, and its key, as PEM. Default: it offers none. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Lines of `pg_hba.conf` before those that let everybody in from this machine. */
  readonly access?: readonly string[];
  /** Whether the server keeps its data as in operation: on a disk, with `fsync`. Default: false, which is faster. */
  readonly isDurable?: boolean;
}

/** Starts a private Postgres 15, which disposal stops and removes. */
export async function startPostgres15(options: Postgres15Options = {}): Promise<Postgres15> {
  await using opened = new AsyncDisposableStack();
  const cluster = await makeCluster(await clusterFolder(opened, options), 'postgres');
  const { url } = await startServer(cluster, opened, await configure(cluster, options));
  await makeTemplate(url, createLogger({ level: 'silent' }));
  const closing = opened.move();
  return {
    emptyDatabase: () => emptyDatabase(url),
    cloneDatabase: () => cloneDatabase(url),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

/** The data directory of a server. */
export interface Cluster {
  readonly path: string;
  /** The user that the server runs as if this process is root, because Postgres refuses to run as root; otherwise undefined. */
  readonly user: RunAs | undefined;
}

/** Creates a folder for data directories, which disposal removes. */
export async function clusterFolder(opened: AsyncDisposableStack, { isDurable = false }: Postgres15Options): Promise<string> {
  const folder = await mkdtemp(join(isDurable ? tmpdir() : await databaseRoot(), PREFIX));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  opened.use(await claimDirectory(folder));
  await chmod(folder, 0o711);
  return folder;
}

/** Creates an empty data directory, which belongs to the user that the server runs as. */
export async function emptyCluster(folder: string, name: string): Promise<Cluster> {
  const path = join(folder, name);
  const user = postgresUser(path);
  await mkdir(path, { mode: 0o700 });
  if (user) chownSync(path, user.uid, user.gid);
  return { path, user };
}

export async function makeCluster(folder: string, name: string): Promise<Cluster> {
  const { path, user } = await emptyCluster(folder, name);
  const options = ['--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync', `--username=${ROLE}`, `--pgdata=${path}`];
  await runProgram(programOf('initdb'), options, user);
  return { path, user };
}

/** Writes the files that the options ask for. @returns settings for the server */
async function configure(
  { path, user }: Cluster,
  { tls, access = [], isDurable = false }: Postgres15Options,
): Promise<Record<string, string>> {
  const rules = join(path, 'pg_hba.conf');
  await writeFile(rules, [...access, await readFile(rules, 'utf8')].join('\n'));
  const fsync = isDurable ? 'on' : 'off';
  if (tls === undefined) return { fsync };
  for (const [name, content] of [['server.crt', tls.cert] as const, ['server.key', tls.key] as const]) {
    await writeFile(join(path, name), content, { mode: 0o600 });
    if (user) chownSync(join(path, name), user.uid, user.gid);
  }
  return { fsync, ssl: 'on' };
}

/** A running server. The URL leads to its database `postgres` and has the name of a superuser. */
export interface RunningPostgres {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts a server on a data directory; the stack stops it. */
export async function startServer(
  { path, user }: Cluster,
  opened: AsyncDisposableStack,
  further: Readonly<Record<string, string>>,
): Promise<RunningPostgres> {
  const port = await freePort();
  const settings = { ...further, listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: path };
  const args = ['-D', path, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const child = spawn(programOf('postgres'), args, { ...identityOf(user), cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  await once(child, 'spawn');
  opened.defer(() => stopServer(child));
  const complaint = text(child.stderr);
  const url = `postgres://${ROLE}@127.0.0.1:${port}/postgres`;
  while (!(await answers(url))) {
    if (hasEnded(child)) throw new Error(`Postgres 15 does not start: ${await complaint}`);
    await pause(POLL_MS);
  }
  return { url, child };
}
