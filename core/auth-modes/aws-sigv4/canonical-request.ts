/** Headers as `[name in lower case, value]`. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** The parts of a request that Signature Version 4 covers. */
export interface CoveredRequest {
  readonly method: string;
  /** The path with the query, as in the request line. */
  readonly target: string;
  readonly headers: HeaderPairs;
  /** The hex SHA-256 of the body, or `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
}

const UNRESERVED = /[A-Za-z0-9\-._~]/;
const ESCAPE_OR_OTHER = /%[0-9A-Fa-f]{2}|[^A-Za-z0-9\-._~]/g;

/**
 * Returns the canonical request ("Create a signed AWS API request", step 1, in the IAM user guide).
 *
 * @param isObjectStore true for Amazon S3, for which paths are escaped once and not normalized; for all other services they are
 *   normalized, and what is already escaped is escaped again
 */
export function canonicalRequest({ method, target, headers, payloadHash }: CoveredRequest, isObjectStore: boolean): string {
  const queryAt = target.indexOf('?');
  const path = queryAt < 0 ? target : target.slice(0, queryAt);
  const query = queryAt < 0 ? '' : target.slice(queryAt + 1);
  const fields = canonicalHeaders(headers);
  return [
    method,
    isObjectStore ? objectPath(path) : normalizedPath(path),
    canonicalQuery(query),
    ...fields.map(([name, value]) => `${name}:${value}`),
    '',
    fields.map(([name]) => name).join(';'),
    payloadHash,
  ].join('\n');
}

/** Returns the value of `SignedHeaders`: the names of the covered headers. */
export function signedNames(headers: HeaderPairs): string {
  return canonicalHeaders(headers)
    .map(([name]) => name)
    .join(';');
}

/**
 * Returns the headers sorted by name. Values of the same name are joined by commas in the order given, and runs of spaces are
 * reduced to one.
 */
function canonicalHeaders(headers: HeaderPairs): [name: string, value: string][] {
  const byName = new Map<string, string[]>();
  for (const [name, value] of headers) {
    const values = byName.get(name);
    const clean = value.trim().replaceAll(/ +/g, ' ');
    if (values === undefined) byName.set(name, [clean]);
    else values.push(clean);
  }
  return [...byName].map(([name, values]): [string, string] => [name, values.join(',')]).sort(([a], [b]) => compare(a, b));
}

/**
 * Returns the query sorted by escaped name, then by escaped value, with every value of a repeated name ("Create a signed AWS API
 * request", step 1). A `+` stands for a space (HTML, application/x-www-form-urlencoded).
 */
function canonicalQuery(query: string): string {
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const at = pair.indexOf('=');
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      return [canonicalText(name.replaceAll('+', ' ')), canonicalText(value.replaceAll('+', ' '))];
    });
  return pairs
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/**
 * Returns the path of an object as Amazon S3 reads it: `+` stands for a space and `%2B` for a plus, and slashes remain unescaped
 * even if they were sent escaped ("Signature calculations for the authorization header" in the Amazon S3 API reference:
 * `UriEncode`).
 */
function objectPath(path: string): string {
  return path.replaceAll('+', ' ').replaceAll(/%2f/gi, '/').split('/').map(canonicalText).join('/');
}

/**
 * Removes dot segments (RFC 3986 §5.2.4) and empty segments from a path, and escapes the other segments as they were sent, that
 * is, a second time if they were escaped.
 */
function normalizedPath(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/');
  for (const segment of segments) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment.replaceAll(/[^A-Za-z0-9\-._~]/g, escapeCharacter));
  }
  const isFolder = kept.length > 0 && ['', '.', '..'].includes(segments.at(-1) ?? '');
  return `/${kept.join('/')}${isFolder ? '/' : ''}`;
}

/**
 * Writes unreserved characters literally and all other bytes as upper-case escapes, regardless of which of them were sent
 * escaped.
 */
function canonicalText(text: string): string {
  return text.replaceAll(ESCAPE_OR_OTHER, (found) => {
    if (found.length === 1) return escapeCharacter(found);
    const character = String.fromCharCode(Number.parseInt(found.slice(1), 16));
    return UNRESERVED.test(character) ? character : found.toUpperCase();
  });
}

/** Escapes one character. In a request target each character stands for one byte (latin1); other texts are encoded in UTF-8. */
function escapeCharacter(character: string): string {
  const bytes = Buffer.from(character, character.charCodeAt(0) > 0xff ? 'utf8' : 'latin1');
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** Compares texts by code unit, since localized comparison yields another order. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
