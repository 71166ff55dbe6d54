import { type QueryValues, queryOf } from './address.ts';
import type { CallOptions } from './caller.ts';
import type { ConnectionAddress } from './connections.ts';
import { Deadline } from './deadline.ts';
import { errorOf } from './errors.ts';
import { Resource } from './resource.ts';

/** How much longer this client waits than the service, so that the service times out first and its response says why. */
const GRACE_MS = 2_000;
const MAX_TIMEOUT_SECONDS = 3600;

/** The connection of a proxied call, and its request. */
export interface ProxyOptions extends ConnectionAddress, CallOptions {
  readonly query?: QueryValues;
  /** Headers that are sent to the provider; any name is allowed. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, which is sent unchanged; streams are not buffered. */
  readonly body?: NonNullable<RequestInit['body']> | AsyncIterable<Uint8Array>;
  /** A value that is sent as JSON, instead of `body`. */
  readonly json?: unknown;
  /** Maximum number of times that the service retries a repeatable request, up to 10; default 0. */
  readonly retries?: number;
  /** Statuses to retry in addition to 429 and 5xx. */
  readonly retryOn?: readonly number[];
  /** Another host of the provider, to which the request is sent instead; requires the scope `environment:proxy:override`. */
  readonly baseUrlOverride?: string;
  /** Timeout until the first byte of the response, for each attempt; the body may take longer. */
  readonly timeoutMs?: number;
}

/** Calls to external APIs with a connection's credentials. */
export class ConnectionProxy extends Resource {
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
   * Returns the provider's response, including errors and redirects, with a streaming body.
   *
   * @param path below the provider's base URL
   * @throws SvcError if the service refuses the call, cannot reach the provider, or cannot be reached itself
   */
  async request(method: string, path: string, options: ProxyOptions): Promise<Response> {
    const address = proxyAddress(path, options.query);
    const timeoutMs = this.caller.timeoutOf(options);
    const init = { method, headers: headersOf(options, timeoutMs), ...bodyOf(options) };
    // One span more than there are attempts, since the service's waits between them may last as long as one attempt.
    const spans = options.retries ? options.retries + 2 : 1;
    const deadline = new Deadline(timeoutMs * spans + GRACE_MS, options.signal);
    try {
      const response = await this.caller.send(address, init, deadline);
      if (response.headers.has('svc-error')) throw await errorOf(response);
      return response;
    } catch (cause) {
      throw deadline.explain(cause);
    } finally {
      deadline.end();
    }
  }
}

/**
 * Returns the path and query of a call.
 *
 * @throws TypeError for a path that leads out of `/proxy/` and would therefore call the service itself
 */
function proxyAddress(path: string, query: QueryValues = {}): string {
  const { pathname, search } = new URL(`http://svc/proxy/${path.replace(/^\//, '')}`);
  if (!pathname.startsWith('/proxy/')) throw new TypeError('the path of a proxied call must not lead out of /proxy/');
  const added = queryOf(query);
  if (added === '') return pathname + search;
  return `${pathname}${search === '' ? '?' : `${search}&`}${added}`;
}

/**
 * Returns the headers of a call. The prefix `svc-proxy-` marks headers for the provider, so that they may have names that the
 * service itself uses.
 */
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

/** Encodes a header value: `fetch` sends each character as one byte, but the service reads the value as UTF-8. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/**
 * Returns the body of a call. `duplex` is required for a streamed body, since the request begins before the body has ended (Fetch
 * standard, `RequestDuplex`).
 */
function bodyOf({ body, json }: ProxyOptions): RequestInit {
  if (json !== undefined) return { body: JSON.stringify(json) };
  return body === undefined ? {} : { body, duplex: 'half' };
}
