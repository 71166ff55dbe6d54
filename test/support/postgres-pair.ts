import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { runProgram } from '../../core/db/embedded-postgres/postgres-program.ts';
import { createLogger } from '../../core/kit/logger.ts';
import { cloneDatabase, makeTemplate, type TestDatabase } from './database.ts';
import { type Cluster, clusterFolder, emptyCluster, makeCluster, programOf, startServer } from './postgres-15.ts';
import { childrenOf } from './process-facts.ts';
import { until } from './until.ts';

const DURABLE = { fsync: 'on' };
const RELOAD = 'select pg_reload_conf()';

/** A Postgres 15 and a standby that follows it by streaming replication, both durable. */
export class PostgresPair implements AsyncDisposable {
  /** A database with the current schema on the primary. */
  readonly database: TestDatabase;
  /** The same database on the standby. */
  readonly standby: Pick<TestDatabase, 'url'>;
  readonly #primary: ChildProcess;
  readonly #standbyCluster: Cluster;
  readonly #opened: AsyncDisposableStack;

  private constructor(parts: {
    database: TestDatabase;
    standbyUrl: string;
    primary: ChildProcess;
    standbyCluster: Cluster;
    opened: AsyncDisposableStack;
  }) {
    this.database = parts.database;
    this.standby = { url: parts.standbyUrl };
    this.#primary = parts.primary;
    this.#standbyCluster = parts.standbyCluster;
    this.#opened = parts.opened;
  }

  /** @param isSynchronous whether a commit waits until the standby has it on its disk (`synchronous_standby_names`) */
  static async open({ isSynchronous }: { isSynchronous: boolean }): Promise<PostgresPair> {
    await using opened = new AsyncDisposableStack();
    const folder = await clusterFolder(opened, { isDurable: true });
    const primary = await startServer(await makeCluster(folder, 'primary'), opened, DURABLE);
    await makeTemplate(primary.url, createLogger({ level: 'silent' }));
    const database = await cloneDatabase(primary.url);
    // The database is not dropped at the end: by then its server may be gone, and its folder is removed.
    opened.defer(() => database.db.destroy());

    const standbyCluster = await emptyCluster(folder, 'standby');
    const copy = ['--dbname', primary.url, '--pgdata', standbyCluster.path, '--write-recovery-conf', '--checkpoint=fast'];
    await runProgram(programOf('pg_basebackup'), copy, standbyCluster.user);
    const standby = await startServer(standbyCluster, opened, DURABLE);
    if (isSynchronous)
      await database.db.raw(`alter system set synchronous_standby_names = '*'`).then(() => database.db.raw(RELOAD));
    const wanted = isSynchronous ? 'sync' : 'async';
    const follows = () => database.db('pg_stat_replication').where({ state: 'streaming', sync_state: wanted }).first('pid');
    await until('the standby follows', async () => (await follows()) !== undefined);
    const standbyUrl = new URL(new URL(database.url).pathname, standby.url).href;
    return new PostgresPair({ database, standbyUrl, primary: primary.child, standbyCluster, opened: opened.move() });
  }

  /** From now on, the standby receives nothing: commits are acknowledged that it does not have. */
  async holdReplication(): Promise<void> {
    const sender = await this.database.db('pg_stat_replication').first('pid');
    process.kill(sender.pid, 'SIGSTOP');
  }

  /** Kills all processes of the primary, as a power cut would. */
  async killPrimary(): Promise<void> {
    const ended = once(this.#primary, 'exit');
    const { pid = 0 } = this.#primary;
    for (const victim of [...childrenOf(pid), pid]) killIfAlive(victim);
    await ended;
  }

  /** Makes the primary refuse to write, while it stays reachable. Resolves when the standby has everything. */
  async makePrimaryReadOnly(): Promise<void> {
    const { db } = this.database;
    await db.raw('alter system set default_transaction_read_only = on');
    await db.raw(RELOAD);
    const isReadOnly = async () => (await db.raw('show transaction_read_only')).rows[0].transaction_read_only === 'on';
    await until('the primary is read-only', isReadOnly);
    // Transactions that had begun before may still write.
    const { rows } = await db.raw('select clock_timestamp() as now');
    const older = () => db('pg_stat_activity').where('xact_start', '<', rows[0].now).first('pid');
    await until('older transactions have ended', async () => (await older()) === undefined);
    const replayed = db.raw('replay_lsn = pg_current_wal_lsn() as all');
    await until('the standby has everything', async () => (await db('pg_stat_replication').first(replayed)).all);
  }

  /** Makes the standby a primary. Resolves when it is one. */
  async promote(): Promise<void> {
    const { path, user } = this.#standbyCluster;
    await runProgram(programOf('pg_ctl'), ['promote', '--pgdata', path, '--wait'], user);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended by itself.
  }
}
