import knex, { type Knex } from 'knex';
import type pg from 'pg';
import { errorCode } from '../kit/error-code.ts';
import type { Logger } from '../kit/logger.ts';
import { clientConfig, DEFAULT_QUERY_TIMEOUT_MS } from './client-config.ts';
import { describeDatabaseFault, READ_ONLY } from './database-fault.ts';

const DEFAULT_POOL_SIZE = 10;
const DEFAULT_WAIT_MS = 2000;
/** Milliseconds to wait for a connection that nobody else needs, and that a busy machine opens late: for commands and backups. */
export const PATIENT_WAIT_MS = 30_000;
// Each connection costs a Postgres process of 4 MB. The most recently used connection is used next, so that those opened for a
// burst become idle and are closed soon after it.
const IDLE_TIMEOUT_MS = 5000;
/** Maximum number of characters of a statement in the message of its error. */
const MAX_STATEMENT = 200;

interface DatabaseOptions {
  readonly url: string;
  readonly poolSize?: number;
  /** Milliseconds that this process waits for one statement; 0 waits for ever. Default: 5,000. */
  readonly queryTimeoutMs?: number;
  /**
   * Milliseconds that a caller waits for a connection, also for one that has to be opened. Default: 2,000, since callers that queue
   * for longer are better off with a quick 503.
   */
  readonly waitMs?: number;
  readonly log: Logger;
}

/**
 * Opens a pool of database connections. None is opened before the first query, and losing a connection fails only the queries
 * that run on it. Session settings are not used, so that the database may be behind a pooler in transaction mode.
 */
export function openDatabase({
  url,
  poolSize = DEFAULT_POOL_SIZE,
  queryTimeoutMs = DEFAULT_QUERY_TIMEOUT_MS,
  waitMs = DEFAULT_WAIT_MS,
  log,
}: DatabaseOptions): Knex {
  const connections = new Map<string, PooledConnection>();
  const unfit = new WeakSet<object>();

  const db = knex({
    client: 'pg',
    connection: { ...clientConfig(url, queryTimeoutMs), connectionTimeoutMillis: waitMs },
    acquireConnectionTimeout: waitMs,
    // Otherwise knex writes the values of a failed statement into the error's message, and these may be secrets.
    compileSqlOnError: false,
    pool: {
      min: 0,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      max: poolSize,
      afterCreate: (connection: PooledConnection, done: (error: null, connection: PooledConnection) => void) => {
        connections.set(connection.__knexUid, connection);
        connection.once('end', () => connections.delete(connection.__knexUid));
        done(null, connection);
      },
      validate: (connection: object) => !unfit.has(connection),
    },
    log: knexLog(log),
  });

  // A connection whose query timed out is still busy with its response, and a connection to a primary that became read-only stays
  // read-only: neither may be used again. Nor may the others to that server, where reads succeed but return what is no longer true.
  db.on('query-error', (error: Error, query: FailedQuery) => {
    cutStatement(error, query.sql);
    const connection = connections.get(query.__knexUid);
    if (!connection || !describeDatabaseFault(error)) return;
    const isReadOnly = errorCode(error) === READ_ONLY;
    for (const one of isReadOnly ? connections.values() : [connection]) unfit.add(one);
    connection.end().catch((cause: unknown) => log.debug('a broken database connection could not be closed', { error: cause }));
  });
  return db;
}

/** How a process uses its pool: connections in use, open and idle, and callers that wait for one. */
interface PoolUse {
  readonly used: number;
  readonly free: number;
  readonly waiting: number;
}

export function poolUse(db: Knex): PoolUse {
  const { pool } = db.client;
  return { used: pool.numUsed(), free: pool.numFree(), waiting: pool.numPendingAcquires() };
}

interface FailedQuery {
  readonly __knexUid: string;
  readonly sql: string;
}

/** Shortens the statement that knex has put in front of an error's message. */
function cutStatement(error: Error, statement: string): void {
  if (statement.length <= MAX_STATEMENT || !error.message.startsWith(statement)) return;
  error.message = `${statement.slice(0, MAX_STATEMENT)}…${error.message.slice(statement.length)}`;
}

/** A database connection of the pool. knex gives it an ID, by which its events refer to it. */
type PooledConnection = pg.Client & { readonly __knexUid: string };

function knexLog(log: Logger): Knex.Logger {
  const debug = (message: unknown) => log.debug(String(message), { part: 'knex' });
  return { debug, warn: debug, error: debug, deprecate: debug };
}
