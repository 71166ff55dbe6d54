import { type QueryValues, queryOf } from './address.ts';
import type { Caller, CallOptions } from './caller.ts';
import type { ConnectionAddress } from './connections.ts';
import { Deadline } from './deadline.ts';
import { errorOf } from './errors.ts';

/** The service gives up first, so that its answer tells why. */
const GRACE_MS = 2_000;
const MAX_TIMEOUT_SECONDS = 3600;

/** Whose credentials a call uses, and what it sends. */
export interface ProxyOptions extends ConnectionAddress, CallOptions {
  readonly query?: QueryValues;
  /** For the provider, whatever they are called. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; streams are not held in memory. */
  readonly body?: NonNullable<RequestInit['body']> | AsyncIterable<Uint8Array>;
  /** Sent as JSON, in place of `body`. */
  readonly json?: unknown;
  /** How often the service tries again what may be repeated, up to 10; default 0. */
  readonly retries?: number;
  /** Statuses to try again beside 429 and 5xx. */
  readonly retryOn?: readonly number[];
  /** Another host of the provider; needs a scope of its own. */
  readonly baseUrlOverride?: string;
  /** To the first byte of the answer, for each try; the body may take longer. */
  readonly timeoutMs?: number;
}

/** Calls to external APIs with a connection's credentials. */
export class ConnectionProxy {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  get(path: string, options: ProxyOptions): Promise<Response> {
    return this.request('GET', path, options);
  }

  head(path: string, options: ProxyOptions): Promise<Response> {
    return this.request('HEAD', path, options);
  }

  options(path: string, options: ProxyOptions): Promise<Response> {
    return this.request('OPTIONS', path, options);
  }

  post(path: string, options: ProxyOptions): Promise<Response> {
    return this.request('POST', path, options);
  }

  put(path: string, options: ProxyOptions): Promise<Response> {
    return this.request('PUT', path, options);
  }

  patch(path: string, options: ProxyOptions): Promise<Response> {
    return this.request('PATCH', path, options);
  }

  delete(path: string, options: ProxyOptions): Promise<Response> {
    return this.request('DELETE', path, options);
  }

  /**
   * Whatever the provider answers, errors and redirects included; its body streams.
   *
   * @param path below the provider's base URL
   * @throws SvcError where the service itself answered: the call did not reach the provider, or not its answer us
   */
  async request(method: string, path: string, options: ProxyOptions): Promise<Response> {
    const address = proxyAddress(path, options.query);
    const timeoutMs = this.#caller.timeoutOf(options);
    const init = { method, headers: headersOf(options, timeoutMs), ...bodyOf(options) };
    // Between tries the service waits for as long as one may take.
    const spans = options.retries ? options.retries + 2 : 1;
    const deadline = new Deadline(timeoutMs * spans + GRACE_MS, options.signal);
    try {
      const response = await this.#caller.send(address, init, deadline);
      if (response.headers.has('svc-error')) throw await errorOf(response);
      return response;
    } catch (cause) {
      throw deadline.explain(cause);
    } finally {
      deadline.end();
    }
  }
}

/** @throws TypeError for a path that leads out of the proxy, back to the service with its key */
function proxyAddress(path: string, query: QueryValues = {}): string {
  const { pathname, search } = new URL(`http://svc/proxy/${path.replace(/^\//, '')}`);
  if (!pathname.startsWith('/proxy/')) throw new TypeError('the path of a proxied call may not lead upwards');
  const added = queryOf(query);
  if (added === '') return pathname + search;
  return `${pathname}${search === '' ? '?' : `${search}&`}${added}`;
}

/** The prefix says that a header is meant for the provider, also where the service has one of that name. */
function headersOf(options: ProxyOptions, timeoutMs: number): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(`svc-proxy-${name}`, value);
  const own = {
    'connection-id': bytesOf(options.connection_id),
    'provider-config-key': options.provider_config_key,
    retries: options.retries,
    'retry-on': options.retryOn?.join(','),
    'base-url-override': options.baseUrlOverride,
    'svc-timeout': Math.min(Math.ceil(timeoutMs / 1000), MAX_TIMEOUT_SECONDS),
    'content-type': options.json === undefined ? undefined : 'application/json',
  };
  for (const [name, value] of Object.entries(own)) if (value !== undefined) headers.set(name, String(value));
  return headers;
}

/** `fetch` sends a character of a header as one byte; the service reads UTF-8. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** `duplex`: a request whose body streams begins before that ends (Fetch standard, `RequestDuplex`). */
function bodyOf({ body, json }: ProxyOptions): RequestInit {
  if (json !== undefined) return { body: JSON.stringify(json) };
  return body === undefined ? {} : { body, duplex: 'half' };
}
