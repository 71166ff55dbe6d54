import type { Readable } from 'node:stream';
import type { ProxyOptions } from './options.ts';
import type { RawHeaders } from './raw-headers.ts';

/** Who calls: known before the proxy is asked. */
export interface ProxyCaller {
  readonly requestId: string;
  readonly environmentId: number;
  /** Whether the key may name another base URL (scope `environment:proxy:override`). */
  readonly mayOverride: boolean;
  /** Headers about the rate limit of the caller's key, sent unless the provider sends its own. */
  readonly limitHeaders?: RawHeaders | undefined;
}

/** A call to be passed on, from a client over HTTP or from a script in this process. */
export interface ProxyRequest extends ProxyCaller {
  readonly method: string;
  /** Path and query as they came, with `/proxy` before them. */
  readonly target: string;
  readonly headers: RawHeaders;
  readonly body: Readable | Buffer | undefined;
  readonly options: ProxyOptions;
  /** Aborts when the caller disconnects: before the response is there, or while its body is read. */
  readonly signal: AbortSignal;
}

/** The provider's response as the caller gets it. Its body must be read or destroyed. */
export interface ProxyResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: string[];
  readonly body: Readable;
}
