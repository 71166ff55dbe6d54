import { isFraming } from '../kit/header-syntax.ts';
import { namedByConnection, type RawHeaders } from './raw-headers.ts';

/** The connection's credentials in headers. */
export interface AppliedCredentials {
  readonly raw: RawHeaders;
  /** Names of the headers, in lower case. */
  readonly names: ReadonlySet<string>;
}

interface RequestHeadersInput {
  /** The headers that frame the body (`Content-Length`), if there is one. */
  readonly framing: RawHeaders;
  readonly credentials: AppliedCredentials;
  /** A second prefix of explicit headers (`Svc-Proxy-…`), in addition to `Svc`, in lower case and without a hyphen. */
  readonly clientPrefix: string | undefined;
}

/** Headers that belong to the service, or to the connection between the caller and the service. */
const NOT_PASSED = new Set([
  'authorization',
  'cookie',
  'provider-config-key',
  'connection-id',
  'retries',
  'retry-on',
  'base-url-override',
  'decompress',
  'forward-headers-on-redirect',
  'forwarded',
]);
const NOT_PASSED_PREFIXES = ['x-forwarded-', 'svc-'];

/**
 * Returns the headers for the provider: the caller's end-to-end headers, then those set explicitly (`Svc-Proxy-…`), then the
 * credentials, which take precedence.
 */
export function requestHeaders(callers: RawHeaders, { framing, credentials, clientPrefix }: RequestHeadersInput): string[] {
  const hopByHop = namedByConnection(callers);
  const passed: string[] = [];
  const explicit: string[] = [];
  for (let index = 0; index < callers.length; index += 2) {
    const name = callers[index] ?? '';
    const value = callers[index + 1] ?? '';
    const key = name.toLowerCase();
    if (hopByHop?.has(key)) continue;
    const explicitly = explicitName(key, name, clientPrefix);
    if (explicitly !== undefined) addExplicit(explicit, { name: explicitly, value, credentials });
    else if (isPassed(key, clientPrefix) && !isAmong(key, credentials.names)) passed.push(name, value);
  }
  const merged = explicit.length === 0 ? passed : [...withoutNames(passed, explicit), ...explicit];
  merged.push(...framing, ...credentials.raw);
  return merged;
}

function isPassed(key: string, clientPrefix: string | undefined): boolean {
  if (isFraming(key) || NOT_PASSED.has(key) || NOT_PASSED_PREFIXES.some((prefix) => key.startsWith(prefix))) return false;
  return clientPrefix === undefined || !key.startsWith(`${clientPrefix}-`);
}

/** Returns the name without the prefix of explicit headers: `Svc-Proxy-X` → `X`. */
function explicitName(key: string, name: string, clientPrefix: string | undefined): string | undefined {
  if (key.startsWith('svc-proxy-')) return name.slice('svc-proxy-'.length);
  const own = clientPrefix === undefined ? undefined : `${clientPrefix}-proxy-`;
  return own !== undefined && key.startsWith(own) ? name.slice(own.length) : undefined;
}

function addExplicit(explicit: string[], header: { name: string; value: string; credentials: AppliedCredentials }): void {
  const key = header.name.toLowerCase();
  const isRejected = key === '' || key === 'authorization' || isFraming(key) || isAmong(key, header.credentials.names);
  if (!isRejected) explicit.push(header.name, header.value);
}

/** Returns the headers whose names do not occur in `replaced`. */
export function withoutNames(headers: RawHeaders, replaced: RawHeaders): string[] {
  const names = new Set(replaced.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
  return headers.filter((_, index) => !isAmong((headers[index - (index % 2)] ?? '').toLowerCase(), names));
}

/**
 * Returns whether the name is in the set. An underscore counts as a hyphen, since gateway interfaces (RFC 3875 §4.1.18) make one
 * variable of `X-Api-Key` and `X_Api_Key`.
 */
function isAmong(key: string, names: ReadonlySet<string>): boolean {
  return names.has(key) || (key.includes('_') && names.has(key.replaceAll('_', '-')));
}
