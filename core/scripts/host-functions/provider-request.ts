import { ScriptCallError } from '../../../scripts-runtime/script-run.ts';

const METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const MAX_ENDPOINT = 8_192;
const MAX_HEADERS = 100;
// Names and values by RFC 9110 §5.1, §5.5. Characters outside Latin-1 cannot be sent.
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,256}$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]{0,8192}$/;
/** Headers that the service sets: those for the connection and for the framing of the body. */
const OURS: ReadonlySet<string> = new Set([
  'provider-config-key',
  'connection-id',
  'retries',
  'decompress',
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
]);

/** A call for the proxy, without its connection. */
export interface ProviderRequest {
  readonly method: string;
  /** `/proxy/…` with the query, in ASCII. */
  readonly target: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

/**
 * Reads the request passed to `svc.proxy`.
 *
 * @throws ScriptCallError `invalid_arguments` for a request that the proxy could not send, or a header that scripts must not set
 */
export function readRequest(input: unknown): ProviderRequest {
  const request = objectOf(input, 'the request');
  const method = textOf(request['method'] ?? 'GET', 'method').toUpperCase();
  if (!METHODS.includes(method)) throw invalid(`method must be one of ${METHODS.join(', ')}`);
  const body = bodyOf(request['data']);
  const headers = headersOf(request['headers']);
  const type = typeof request['data'] === 'string' ? 'text/plain;charset=UTF-8' : 'application/json';
  return {
    method,
    target: targetOf(textOf(request['endpoint'], 'endpoint'), request['params']),
    headers: {
      'user-agent': 'svc-script',
      ...(body !== undefined && { 'content-type': type }),
      ...headers,
      retries: retriesOf(request['retries']),
      decompress: 'true',
    },
    body,
  };
}

function targetOf(endpoint: string, params: unknown): string {
  if (endpoint.length > MAX_ENDPOINT) throw invalid(`endpoint may have at most ${MAX_ENDPOINT} characters`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(endpoint)) throw invalid('endpoint must be a path below the provider’s base URL');
  const path = endpoint.startsWith('/') ? endpoint : `/${endpoint}`;
  // Characters that are valid in a URL stay unchanged; others would be rejected.
  const ascii = path.toWellFormed().replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent);
  const pairs = Object.entries(params === undefined ? {} : objectOf(params, 'params'));
  const texts = pairs.map(([name, value]): [string, string] => [name, scalarOf(value, `params.${name}`)]);
  const query = new URLSearchParams(texts).toString();
  if (query === '') return `/proxy${ascii}`;
  return `/proxy${ascii}${ascii.includes('?') ? '&' : '?'}${query}`;
}

function headersOf(input: unknown): Record<string, string> {
  const entries = Object.entries(input === undefined ? {} : objectOf(input, 'headers'));
  if (entries.length > MAX_HEADERS) throw invalid(`there may be at most ${MAX_HEADERS} headers`);
  const read = entries.map(([name, value]): [string, string] => {
    const key = name.toLowerCase();
    if (OURS.has(key)) throw invalid(`the header ${key} cannot be set by a script`);
    const text = scalarOf(value, `the header ${key.slice(0, 100)}`);
    if (!HEADER_NAME.test(key) || !HEADER_VALUE.test(text)) throw invalid('a header has a name or a value that cannot be sent');
    return [key, text];
  });
  return Object.fromEntries(read);
}

/** Returns the body; undefined if there is none. JSON has no `undefined`, so scripts may also pass `null`. */
function bodyOf(data: unknown): Buffer | undefined {
  if (data === undefined || data === null) return undefined;
  return Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
}

function retriesOf(input: unknown): string {
  if (input === undefined || input === null) return '0';
  if (typeof input !== 'number' || !Number.isInteger(input) || input < 0 || input > 10)
    throw invalid('retries must be a whole number from 0 to 10');
  return String(input);
}

function objectOf(input: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input as Readonly<Record<string, unknown>>;
  throw invalid(`${name} must be an object`);
}

function textOf(input: unknown, name: string): string {
  if (typeof input === 'string') return input;
  throw invalid(`${name} must be a string`);
}

function scalarOf(input: unknown, name: string): string {
  if (['string', 'number', 'boolean'].includes(typeof input)) return String(input).toWellFormed();
  throw invalid(`${name} must be a string, a number or a boolean`);
}

function invalid(message: string): ScriptCallError {
  return new ScriptCallError('invalid_arguments', message);
}
