import { isDecodable } from './is-decodable.ts';

/**
 * How a database connection is encrypted: the values of libpq's `sslmode` with its meaning (Postgres documentation, "SSL Support"),
 * except `allow`; and `no-verify`, which node-postgres added: `require`, even if `sslrootcert` is given.
 */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const;

type SslMode = (typeof SSL_MODES)[number];

export interface PostgresUrl {
  /** The URL without the parameters that are read here. */
  readonly url: string;
  readonly sslMode: SslMode;
  /** Paths of PEM files: the authorities that are trusted, and the certificate of this client with its key. */
  readonly rootCertificate: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** The parameters that are read here. The driver would interpret those for TLS in its own way, and warn about them. */
const READ = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat'];

/** Values of `ssl`, which other clients use instead of `sslmode`. */
const SSL_MODE_OF: Readonly<Partial<Record<string, SslMode>>> = {
  true: 'require',
  '1': 'require',
  false: 'disable',
  '0': 'disable',
};

const FORM = 'postgres://user:password@host:5432/database';

/** Reads a URL that `postgresUrlFault` accepts. */
export function readPostgresUrl(text: string): PostgresUrl {
  const url = new URL(withHost(text));
  const parameters = Object.fromEntries(url.searchParams);
  for (const name of READ) url.searchParams.delete(name);
  const { sslrootcert } = parameters;
  return {
    url: url.href,
    sslMode: isSocket(url) ? 'disable' : sslModeOf(parameters),
    rootCertificate: sslrootcert === 'system' ? undefined : sslrootcert,
    certificate: parameters['sslcert'],
    key: parameters['sslkey'],
  };
}

/** Returns the URL with another `sslmode`. */
export function withSslMode(text: string, sslMode: SslMode): string {
  const url = new URL(withHost(text));
  url.searchParams.set('sslmode', sslMode);
  return url.href;
}

/** Returns what has to be changed in a URL, as the end of a sentence that begins with its name; undefined if it can be used. */
export function postgresUrlFault(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\/./.test(text)) return `must be a URL that begins with postgres:// or postgresql://, such as ${FORM}`;
  if (hasUnencoded(text))
    return 'has a user, password or database name with characters that a URL must encode: write @ as %40, / as %2F, ? as %3F, # as %23, % as %25 and a space as %20';
  if (namesSeveralHosts(text)) return 'names several hosts; name the primary alone, or a proxy that leads to it';
  if (!URL.canParse(withHost(text))) return `has a host or a port that is not valid; the form is ${FORM}`;
  const { searchParams } = new URL(withHost(text));
  const sslMode = searchParams.get('sslmode');
  if (sslMode !== null && !SSL_MODES.some((mode) => mode === sslMode))
    return `has an unknown sslmode; use ${SSL_MODES.join(', ')}`;
  return undefined;
}

/**
 * Returns the mode of the parameters; `prefer` if they name none, as in libpq. Where libpq has a file of authorities, it verifies
 * the certificate under `require`, too; the authorities of the system go with `verify-full` alone.
 */
function sslModeOf({ sslmode, ssl, sslrootcert }: Readonly<Partial<Record<string, string>>>): SslMode {
  if (sslrootcert === 'system') return 'verify-full';
  const mode = SSL_MODES.find((one) => one === sslmode) ?? SSL_MODE_OF[ssl ?? ''] ?? 'prefer';
  return mode === 'require' && sslrootcert !== undefined ? 'verify-ca' : mode;
}

/** Returns whether the URL leads to a Unix socket, on which Postgres offers no TLS. */
function isSocket({ hostname, searchParams }: URL): boolean {
  return (searchParams.get('host') ?? decodeURIComponent(hostname)).startsWith('/');
}

/** Adds a host where the URL names it in a parameter only: libpq takes `postgres://user@/database?host=/run/postgresql`. */
function withHost(text: string): string {
  return text.replace(/^([^/]+:\/\/[^/?#]*@)(?=[/?])/, '$1localhost');
}

/** The parts of a URL in which a user or a password that is not encoded is found. */
function partsOf(text: string): { login: string | undefined; host: string; path: string; rest: string } {
  const [, authority = '', path = '', rest = ''] = /^[^/]+:\/\/([^/?#]*)([^?#]*)(.*)$/s.exec(text) ?? [];
  const at = authority.lastIndexOf('@');
  return { login: at === -1 ? undefined : authority.slice(0, at), host: authority.slice(at + 1), path, rest };
}

function hasUnencoded(text: string): boolean {
  const { login, host, path, rest } = partsOf(text);
  // A "/" or "?" in a password ends what looks like the host before the "@".
  const isCut = login === undefined && !/^[^:]*(:\d*)?$/.test(host.replace(/^\[.*\]/, '')) && rest.includes('@');
  return /\s/.test(text) || rest.includes('#') || path.includes('@') || isCut || !isDecodable(`${login ?? ''}${path}`);
}

function namesSeveralHosts(text: string): boolean {
  const { host, rest } = partsOf(text);
  return !/^%2f/i.test(host) && `${host}${/[?&]host=(?!\/|%2f)[^&]*/i.exec(rest)?.[0] ?? ''}`.includes(',');
}
