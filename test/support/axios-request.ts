import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type Received, send } from './raw-http.ts';

/** Parsed JSON. It is deliberately untyped, because users of axios read whatever field they expect. */
type Parsed = ReturnType<typeof JSON.parse>;

type Values = Readonly<Record<string, string | number | boolean | undefined>>;

export interface AxiosRequest {
  readonly method: string;
  /** An absolute URL, which is normalized by parsing before it is sent. */
  readonly url: string;
  readonly headers?: Values;
  readonly params?: Values;
  /** Objects are sent as JSON, and text is sent unchanged. */
  readonly data?: unknown;
}

export interface AxiosResponse {
  readonly status: number;
  readonly headers: Received['headers'];
  readonly data: Parsed;
}

/** The error that axios throws when the status is not 2xx. */
export class AxiosRefusal extends Error {
  readonly response: AxiosResponse;

  constructor(response: AxiosResponse) {
    super(`Request failed with status code ${response.status}`);
    this.response = response;
  }
}

/**
 * Sends a request as axios 1.x does in Node, and returns the response as axios does.
 *
 * @throws AxiosRefusal if the status is not 2xx
 */
export async function axiosRequest({ method, url, headers = {}, params = {}, data }: AxiosRequest): Promise<AxiosResponse> {
  const { port, pathname, search } = new URL(url);
  const received = await send({
    port: Number(port),
    method,
    path: withParams(pathname + search, params),
    headers: headersOf(method, headers, data),
    ...(data !== undefined && { body: Buffer.from(typeof data === 'string' ? data : JSON.stringify(data)) }),
  });
  const response = { status: received.status, headers: received.headers, data: dataOf(received) };
  if (response.status >= 200 && response.status < 300) return response;
  throw new AxiosRefusal(response);
}

/** Returns the error response to a request that must be refused. @throws Error if it succeeds or fails without a response */
export async function refusal(request: Promise<unknown>): Promise<AxiosResponse> {
  const fault = await request.then(
    () => new Error('the request was not refused'),
    (error) => error,
  );
  if (fault instanceof AxiosRefusal) return fault.response;
  throw fault;
}

function withParams(path: string, params: Values): string {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    value === undefined ? [] : [`${escapeValue(name)}=${escapeValue(String(value))}`],
  );
  return pairs.length === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

/** Escapes a query value as axios does: a space becomes a plus sign, and `:`, `$` and `,` are not escaped. */
function escapeValue(text: string): string {
  return encodeURIComponent(text).replaceAll('%3A', ':').replaceAll('%24', '$').replaceAll('%2C', ',').replaceAll('%20', '+');
}

/** Returns the headers of a request as axios sends them: without headers whose value is false, but with empty ones. */
function headersOf(method: string, given: Values, data: unknown): Record<string, string> {
  const sent = Object.entries(given).filter(([, value]) => value !== undefined && value !== false);
  return {
    Accept: 'application/json, text/plain, */*',
    ...defaultType(method, data),
    ...Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
    'Accept-Encoding': 'gzip, compress, deflate, br',
  };
}

function defaultType(method: string, data: unknown): Record<string, string> {
  if (typeof data === 'object') return { 'Content-Type': 'application/json' };
  return ['POST', 'PUT', 'PATCH'].includes(method) ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {};
}

/** Returns a body, parsed as JSON if that is possible, whatever its content type. */
function dataOf({ headers, body }: Received): Parsed {
  const text = unpack(body, headers['content-encoding']).toString();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function unpack(body: Buffer, coding: string | undefined): Buffer {
  if (coding === 'gzip') return gunzipSync(body);
  return coding === 'br' ? brotliDecompressSync(body) : body;
}
