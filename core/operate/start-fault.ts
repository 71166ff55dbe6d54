import { describeDatabaseFault, isMissingSocket } from '../db/database-fault.ts';
import { ServiceError } from '../errors.ts';
import { errorCode } from '../kit/error-code.ts';

/** The reason why a database cannot be used, and what an operator can do. */
export interface DatabaseFault {
  readonly reason: string;
  readonly fix: string;
}

/**
 * Faults, each with its reason and what an operator can do. A pattern is matched with the code and the message: the code is an
 * SQLSTATE (Postgres documentation, appendix A) or that of a system error; errors of the driver have none (pg 8.23.1:
 * lib/connection.js, lib/crypto/sasl.js).
 */
const FAULTS: readonly (readonly [pattern: RegExp, reason: string, fix: string])[] = [
  [/^ECONNREFUSED /, 'nothing listens at its address', 'start it, or correct host and port in DATABASE_URL'],
  [/^ENOENT /, 'its socket does not exist', 'start it, or correct DATABASE_URL'],
  [/^ENOTFOUND /, 'its host name is unknown', 'correct the host in DATABASE_URL'],
  [/^EAI_AGAIN /, 'its host name cannot be looked up', 'check the name server of this machine'],
  [/^(EHOSTUNREACH|ENETUNREACH) /, 'there is no route to its host', 'check the network, or correct DATABASE_URL'],
  [/^57P0/, 'it is starting or shutting down', 'see its log'],
  [/^53300 /, 'all its connections are in use', 'raise its limit of connections, or close others'],
  [/^53100 /, 'its disk is full', 'make space'],
  [/^25006 /, 'it is a read-only standby', 'point DATABASE_URL to the primary'],
  [/^28000 .*no encryption$/, 'it accepts encrypted connections only', 'remove sslmode=disable from DATABASE_URL'],
  [/^28000 .*SSL encryption$/, 'it accepts unencrypted connections only', 'set sslmode=disable in DATABASE_URL'],
  [/^28|^SASL: (?!.*must be)/, 'it does not accept this user or password', 'correct DATABASE_URL'],
  [/^SASL: .*must be/, 'it asks for a password', 'add the password to DATABASE_URL'],
  [/^3D000 /, 'it has no database of this name', 'create the database, or correct DATABASE_URL'],
  [/^42501 /, 'the user of DATABASE_URL lacks a permission', 'make the user of DATABASE_URL the owner of the database'],
  [
    /^The server does not support SSL/,
    'it does not support TLS',
    'enable TLS on the server, or remove sslmode from DATABASE_URL',
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID /,
    'its certificate is for another host name',
    'use a host name of the certificate in DATABASE_URL, or sslmode=verify-ca',
  ],
  [/^CERT_HAS_EXPIRED /, 'its certificate has expired', 'renew the certificate of the server'],
  [
    /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|ERR_TLS_)/,
    'its certificate is not trusted',
    'name the CA of the certificate as sslrootcert in DATABASE_URL',
  ],
];

const SILENT: DatabaseFault = { reason: 'it does not respond', fix: 'see its log' };

/** Returns the database fault behind an error; undefined when the error is not one that an operator can fix. */
export function databaseFaultOf(error: unknown): DatabaseFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = errorCode(error);
  const [, reason, fix] =
    FAULTS.find(([pattern]) => pattern.test(code === undefined ? error.message : `${code} ${error.message}`)) ?? [];
  if (code === 'ENOENT' && !isMissingSocket(error)) return undefined;
  if (reason === undefined || fix === undefined) return mayPass(error) ? SILENT : undefined;
  // The code and the addresses help operators to investigate. The message of the error is left out, since a library wrote it.
  const details = [...(code === undefined ? [] : [code]), ...addressesOf(error)].join(' ');
  return { reason: details === '' ? reason : `${reason} (${details})`, fix };
}

/** Returns whether the fault may pass by itself: the database is unreachable, starting, full, or did not respond in time. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ServiceError) return error.code === 'storage_unavailable' || error.code === 'storage_full';
  return describeDatabaseFault(error) !== undefined;
}

/** Explains why the service does not run: in one sentence if an operator can fix the fault, with the stack if it is a bug. */
export function explain(error: unknown): string {
  const fault = databaseFaultOf(error);
  if (fault !== undefined) return `the database cannot be used: ${fault.reason}; ${fault.fix}`;
  if (!(error instanceof Error)) return String(error);
  return isBug(error) ? (error.stack ?? error.message) : error.message || (errorCode(error) ?? error.name);
}

function isBug(error: Error): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError;
}

/**
 * Returns the addresses at which a connection was tried. A host name may have several; an `AggregateError` then holds an error
 * for each.
 */
function addressesOf(error: Error): string[] {
  const each: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return each.flatMap((one) => {
    const { address, port } = one as { readonly address?: unknown; readonly port?: unknown };
    return typeof address === 'string' ? [port === undefined ? address : `${address}:${port}`] : [];
  });
}
