import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import { errorCode } from '../kit/error-code.ts';
import { parseJson } from '../kit/exact-json.ts';
import { type PostgresUrl, readPostgresUrl, withSslMode } from '../kit/postgres-url.ts';

const CONNECT_TIMEOUT_MS = 4000;
export const DEFAULT_QUERY_TIMEOUT_MS = 5000;
const KEEP_ALIVE_DELAY_MS = 10_000;
/** The message of the driver's error, which has no code (pg 8.23.1: lib/connection.js). */
const TLS_REFUSED = 'The server does not support SSL connections';

/**
 * Returns the configuration of every database connection of this service, including those outside the pool.
 * @throws Error when a file that the URL names cannot be read
 */
export function clientConfig(url: string, queryTimeoutMs: number = DEFAULT_QUERY_TIMEOUT_MS) {
  const read = readPostgresUrl(url);
  return {
    connectionString: read.url,
    ssl: tlsOptions(read),
    application_name: 'svc',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    types: { getTypeParser: parserOf },
  } satisfies pg.ClientConfig;
}

/**
 * Returns the parser for the values of a type. IDs and counts are `bigint` in the database and stay far below 2^53; numbers in JSON come from
 * outside the service and may have more digits, so they are parsed exactly.
 */
export function parserOf(oid: number, format?: string): (text: string) => unknown {
  if (format === 'binary') return pg.types.getTypeParser(oid, 'binary');
  if (oid === pg.types.builtins.JSON || oid === pg.types.builtins.JSONB) return parseJson;
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, 'text');
}

/**
 * Settles what `sslmode=prefer` means for this server: TLS if it offers that, otherwise none. libpq asks at each connection; this
 * service asks once at its start, so that a change of the server's configuration takes effect at the next start.
 *
 * @returns the URL with the mode that was found
 * @throws the errors of the driver when no connection can be opened
 */
export async function settleTls(url: string): Promise<string> {
  if (readPostgresUrl(url).sslMode !== 'prefer') return url;
  const encrypted = withSslMode(url, 'no-verify');
  const client = new pg.Client(clientConfig(encrypted));
  client.on('error', () => undefined);
  try {
    await client.connect();
    return encrypted;
  } catch (error) {
    if (error instanceof Error && error.message === TLS_REFUSED) return withSslMode(url, 'disable');
    throw error;
  } finally {
    await client.end();
  }
}

/** Returns the options of a connection. A mode of `prefer` that has not been settled is none. */
function tlsOptions({ sslMode, rootCertificate, certificate, key }: PostgresUrl): ConnectionOptions | false {
  if (sslMode === 'disable' || sslMode === 'prefer') return false;
  const files = {
    ...(rootCertificate !== undefined && { ca: readFile('sslrootcert', rootCertificate) }),
    ...(certificate !== undefined && { cert: readFile('sslcert', certificate) }),
    ...(key !== undefined && { key: readFile('sslkey', key) }),
  };
  if (sslMode === 'verify-full') return files;
  if (sslMode === 'verify-ca') return { ...files, checkServerIdentity: () => undefined };
  return { ...files, rejectUnauthorized: false };
}

function readFile(parameter: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new Error(`${parameter} in DATABASE_URL names the file ${path}, which cannot be read (${errorCode(cause)})`, { cause });
  }
}
