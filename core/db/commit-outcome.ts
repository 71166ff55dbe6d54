import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import pg from 'pg';
import { ServiceError } from '../errors.ts';

/** How long the outcome of a COMMIT is queried, in milliseconds: longer than a slow disk delays a COMMIT, or a restart takes. */
const ASK_FOR_MS = 20_000;
const ASK_EVERY_MS = 250;
const RETRY_AFTER_SECONDS = 5;
/** invalid_parameter_value: no transaction has had that ID yet (Postgres documentation, appendix A). */
const IN_THE_FUTURE = '22023';

/**
 * SQL of two columns about the state of the server. `timeline` changes after a standby was promoted or a backup restored, which
 * may have lost the transaction. `lifetime` changes after a restart; a crash of one server process restarts the others, which
 * resets the statistics.
 */
const SERVER_STATE = `
  left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline,
  concat(
    extract(epoch from pg_postmaster_start_time()), '/', extract(epoch from pg_stat_get_bgwriter_stat_reset_time())
  ) as lifetime`;

/**
 * SQL of the columns of a `TransactionId`, for the first statement of a transaction. The ID comes first, so that a standby, which
 * cannot assign one, reports that error.
 */
export const TRANSACTION_ID = `
  pg_current_xact_id()::text as xid,
  (select system_identifier::text from pg_control_system()) as system, ${SERVER_STATE}`;

// `redo_lsn = checkpoint_lsn` is true for checkpoints at the end of a recovery or a shutdown; all others began at an earlier
// position in the log.
const SERVER = `
  select system_identifier::text as system, ${SERVER_STATE},
    redo_lsn = checkpoint_lsn as is_first_checkpoint,
    $1::bigint < (split_part(next_xid, ':', 1)::bigint << 32) + split_part(next_xid, ':', 2)::bigint as is_before_checkpoint
  from pg_control_system(), pg_control_checkpoint()`;

/** A writing transaction, and the server on which it runs. */
export interface TransactionId {
  readonly xid: string;
  /** The identifier of the cluster, which `initdb` created. */
  readonly system: string;
  readonly timeline: string;
  readonly lifetime: string;
}

interface Server extends Omit<TransactionId, 'xid'> {
  readonly is_first_checkpoint: boolean;
  readonly is_before_checkpoint: boolean;
}

type CommitOutcome = 'committed' | 'aborted' | 'in progress' | 'unknown';

/**
 * Thrown when it cannot be determined whether a transaction was committed. That is neither a success nor a failure, so the caller
 * has to check whether the change was stored.
 */
export class OutcomeUnknown extends ServiceError {
  constructor(cause: unknown) {
    const message =
      'the database failed while it stored the change; check whether the change was stored before you repeat the request';
    super('storage_unavailable', message, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

/**
 * Returns whether the server refused a COMMIT. After any other error it is unknown whether it was committed: the connection was
 * lost, the server ended it (`FATAL`), or no response arrived before the timeout.
 */
export function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

/**
 * Finds out whether a transaction was committed whose COMMIT got no response. Each query opens a new database connection, since
 * one from the pool may lead to a server that is no longer the primary.
 *
 * @returns false if it was aborted and nothing is written
 * @throws OutcomeUnknown if it cannot be determined within 20 s
 */
export async function wasCommitted(db: Knex, id: TransactionId, cause: unknown): Promise<boolean> {
  const end = performance.now() + ASK_FOR_MS;
  for (;;) {
    const outcome = await ask(db, id);
    if (outcome === 'committed' || outcome === 'aborted') return outcome === 'committed';
    if (outcome === 'unknown' || performance.now() > end) throw new OutcomeUnknown(cause);
    await pause(ASK_EVERY_MS);
  }
}

/** Queries the outcome once. @returns undefined when the server does not respond */
async function ask({ client }: Knex, id: TransactionId): Promise<CommitOutcome | undefined> {
  let connection: pg.Client | undefined;
  try {
    connection = (await client.acquireRawConnection()) as pg.Client;
    const { rows } = await connection.query<Server>(SERVER, [id.xid]);
    const status = await statusOf(connection, id.xid);
    return rows[0] && outcomeOf(id, status, rows[0]);
  } catch {
    return undefined;
  } finally {
    await connection?.end().catch(() => undefined);
  }
}

/**
 * Returns the status that the server reports for a transaction.
 *
 * @returns null when the transaction is too long ago for the server to know
 */
async function statusOf(connection: pg.Client, xid: string): Promise<CommitOutcome | null> {
  try {
    const { rows } = await connection.query('select pg_xact_status($1::xid8) as status', [xid]);
    return rows[0].status;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === IN_THE_FUTURE) return 'aborted';
    throw error;
  }
}

/**
 * Determines the outcome of a transaction. A crash may lose a transaction together with its ID, which is then assigned to another
 * one: after a restart `committed` counts only for IDs that were known when the recovery ended, as the first checkpoint says.
 */
function outcomeOf(id: TransactionId, status: CommitOutcome | null, server: Server): CommitOutcome {
  if (status === null || server.system !== id.system || server.timeline !== id.timeline) return 'unknown';
  if (server.lifetime === id.lifetime) return status;
  if (status !== 'committed') return 'aborted';
  if (!server.is_first_checkpoint) return 'unknown';
  return server.is_before_checkpoint ? 'committed' : 'aborted';
}
