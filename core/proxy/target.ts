import { ServiceError } from '../errors.ts';

/** The base URL of a connection's calls. */
export interface Base {
  /** The origin, `https://host[:port]`. */
  readonly origin: string;
  /** `host[:port]`, with the port only if it is not the default one. */
  readonly host: string;
  /** The path without trailing slash; empty for the root. */
  readonly path: string;
  /** The base URL's own query, without `?`. */
  readonly query: string;
}

/** The target of one request; the path as in the request line. */
export interface UpstreamTarget {
  readonly origin: string;
  readonly path: string;
}

/** Parameters that are added to a call, by the provider's definition or by a signature. */
export interface AddedQuery {
  /** `name=value` pairs, encoded and joined with `&`; may contain credentials. */
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

export function addedQuery(pairs: readonly (readonly [name: string, value: string])[]): AddedQuery {
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return { text, names: new Set(pairs.map(([name]) => name)) };
}

const MOUNT = '/proxy';
/** Matches paths that need a closer look, which are few: any other path stays below the base. */
const SUSPICIOUS = /\.\.|\.;|%|\\|#/;
/** Other encodings of dots and slashes: percent-encoded, full-width, and the overlong UTF-8 that some decoders accept. */
const ENCODED_DOT = /%2e|%c0%ae|%e0%80%ae|%ef%bc%8e/gi;
const ENCODED_SLASH = /%2f|%5c|%c0%af|%c1%9c|%e0%80%af|%ef%bc%8f|%ef%bc%bc|\\/gi;
/** A segment that is an encoded dot. A plain dot is harmless, since it resolves to the same path. */
const HIDDEN_DOT = /(?:^|\/)%2e(?:\/|$)/i;
const ENCODED_SEMICOLON = /%3b/gi;
/** A path that still changes after this many rounds of decoding is an attack. */
const MAX_ENCODINGS = 3;

export function toBase(url: URL): Base {
  return { origin: url.origin, host: url.host, path: url.pathname.replace(/(?<!\/)\/+$/, ''), query: url.search.slice(1) };
}

/**
 * Returns the base URL plus the bytes after `/proxy`, unchanged: nothing is resolved, decoded or encoded.
 *
 * @param rawUrl the request line's target
 * @throws ServiceError `invalid_uri_params` for a path that a server could resolve to outside the base
 */
export function targetOf(base: Base, rawUrl: string, added: AddedQuery): UpstreamTarget {
  const rest = restOf(rawUrl);
  const queryAt = rest.indexOf('?');
  const path = queryAt === -1 ? rest : rest.slice(0, queryAt);
  if (SUSPICIOUS.test(path)) rejectTraversal(path);

  const query = queryAt === -1 ? '' : rest.slice(queryAt);
  if (query.includes('#')) throw invalidPath('must not have a fragment');
  return { origin: base.origin, path: (base.path + path || '/') + joinQuery(query, added, base.query) };
}

/**
 * Returns the base URL that the caller sets with `Base-Url-Override`.
 *
 * @param allowedHosts the allowed hosts of the definition and of the integration, and the host of the connection's own base URL
 *   (`upstream.ts`)
 * @throws ServiceError `base_url_override_not_allowed` if its host is none of these, or it is not a plain URL
 */
export function overrideBase(override: string, allowedHosts: readonly string[]): Base {
  const url = URL.parse(override);
  // The parser normalises case, look-alikes of `.`, user names, default ports and tabs. Only normalised URLs are accepted.
  const isPlain = url !== null && isHttp(url) && (override === url.origin || override.startsWith(`${url.origin}/`));
  if (!isPlain || !isAllowedHost(url, allowedHosts) || url.search !== '' || url.hash !== '') {
    const message =
      'Base-Url-Override must be a URL whose host is that of the connection or an allowed host of the provider or the integration';
    throw new ServiceError('base_url_override_not_allowed', message);
  }
  return toBase(url);
}

/**
 * Returns the query with the provider's parameters appended, which replace those of the same names.
 *
 * @param query with its `?`, or empty
 * @param baseQuery the base URL's own query, without `?`
 */
export function joinQuery(query: string, added: AddedQuery, baseQuery = ''): string {
  if (added.text === '' && baseQuery === '') return query;
  const others = query
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !added.names.has(nameOf(pair)));
  return `?${[...others, baseQuery, added.text].filter((part) => part !== '').join('&')}`;
}

/** Returns whether the host of a URL, with its port, is on the list. */
export function isAllowedHost(url: URL, allowedHosts: readonly string[]): boolean {
  return isHttp(url) && allowedHosts.some((entry) => canonicalHost(entry, url.protocol) === url.host);
}

function restOf(rawUrl: string): string {
  const rest = rawUrl.startsWith(MOUNT) ? rawUrl.slice(MOUNT.length) : undefined;
  if (rest === undefined || !/^(?:[/?]|$)/.test(rest)) throw invalidPath('must begin with /proxy/');
  return rest;
}

/** Rejects anything that a server may interpret as "..". Encoded slashes are forwarded, since some APIs need them. */
function rejectTraversal(path: string): void {
  if (path.includes('\\') || path.includes('#')) throw invalidPath('must not have a backslash or a fragment');
  let decoded = path;
  for (let round = 0; round < MAX_ENCODINGS; round += 1) {
    const plain = decoded.replaceAll(ENCODED_DOT, '.').replaceAll(ENCODED_SLASH, '/').replaceAll(ENCODED_SEMICOLON, ';');
    if (plain.split('/').some(isRelative) || HIDDEN_DOT.test(decoded)) {
      throw invalidPath('must not contain ".." segments or encoded "." segments');
    }
    const next = decoded.replaceAll(/%25(?=[0-9a-f]{2})/gi, '%');
    if (next === decoded) return;
    decoded = next;
  }
  throw invalidPath('is encoded too many times');
}

/**
 * Returns whether a server may resolve the segment as "..". Some remove path parameters (`..;x=1`) and control characters first.
 */
function isRelative(segment: string): boolean {
  return /^(?:\.\.(?:%[01][0-9a-f]|%20|%7f)*|\.\.?;.*)$/i.test(segment);
}

/**
 * Returns the name of a parameter, decoded as receivers do, so that a caller's parameter is also replaced if its name is encoded
 * differently.
 */
function nameOf(pair: string): string {
  const [name = ''] = new URLSearchParams(pair).keys();
  return name;
}

function isHttp(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}

function canonicalHost(entry: string, protocol: string): string | undefined {
  const url = URL.parse(`${protocol}//${entry}`);
  return url !== null && url.username === '' && url.password === '' && url.pathname === '/' && !url.hostname.endsWith('.')
    ? url.host
    : undefined;
}

function invalidPath(fault: string): ServiceError {
  return new ServiceError('invalid_uri_params', `the path ${fault}`);
}
