import { ServiceError } from '../errors.ts';
import { errorCode } from '../kit/error-code.ts';

const RETRY_AFTER_SECONDS = 2;
/** Longer than for other faults, because a person must first free space on the disk. */
const FULL_RETRY_AFTER_SECONDS = 30;
/** SQLSTATE read_only_sql_transaction: the primary has become a standby. */
export const READ_ONLY = '25006';
/** SQLSTATE disk_full. */
export const DISK_FULL = '53100';

/** SQLSTATE classes and codes that mean "not now", regardless of the statement (Postgres documentation, appendix A). */
const UNAVAILABLE_SQLSTATE = new Set([
  READ_ONLY,
  DISK_FULL,
  '53200', // out_of_memory
  '53300', // too_many_connections
  '57014', // query_canceled: the statement took too long
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
]);
const CONNECTION_EXCEPTION = /^08...$/;

const UNAVAILABLE_SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

// pg gives these errors no code (8.23.1: lib/client.js, lib/connection.js, lib/query.js); knex puts the statement and "- " in
// front of the message.
const UNAVAILABLE_MESSAGES = [
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client was closed and is not queryable',
  'Client has encountered a connection error and is not queryable',
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect', // pg-pool, for callers that queue
];

/** Returns the error for the caller when the database is unreachable or does not respond; undefined for every other error. */
export function describeDatabaseFault(error: unknown): ServiceError | undefined {
  if (!(error instanceof Error) || !isUnavailable(error)) return undefined;
  if (errorCode(error) === DISK_FULL) return diskFull(error);
  return new ServiceError('storage_unavailable', 'the database does not respond', {
    cause: error,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

export function diskFull(cause: unknown): ServiceError {
  return new ServiceError('storage_full', 'the disk of the database is full; nothing was stored', {
    cause,
    retryAfterSeconds: FULL_RETRY_AFTER_SECONDS,
  });
}

function isUnavailable(error: Error): boolean {
  if (error.name === 'KnexTimeoutError') return true;
  const code = errorCode(error);
  if (code === undefined)
    return UNAVAILABLE_MESSAGES.some((message) => error.message === message || error.message.endsWith(`- ${message}`));
  return (
    UNAVAILABLE_SQLSTATE.has(code) || CONNECTION_EXCEPTION.test(code) || UNAVAILABLE_SYSTEM.has(code) || isMissingSocket(error)
  );
}

/**
 * Returns whether the error says that the socket file of the server does not exist, as happens while the embedded server
 * restarts. A missing file of any kind has the same error code, so the failed system call is checked as well.
 */
export function isMissingSocket(error: Error): boolean {
  return errorCode(error) === 'ENOENT' && 'syscall' in error && error.syscall === 'connect';
}
