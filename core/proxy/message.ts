import type { Readable } from 'node:stream';
import type { ProxyOptions } from './options.ts';
import type { RawHeaders } from './raw-headers.ts';

/** The facts about a caller that are known before the proxy is called. */
export interface ProxyCaller {
  readonly requestId: string;
  readonly environmentId: number;
  /** True when the caller's key may set another base URL (scope `environment:proxy:override`). */
  readonly mayOverride: boolean;
  /** Headers about the rate limit of the caller's key, sent unless the provider sends its own. */
  readonly limitHeaders?: RawHeaders | undefined;
  /** True when callers connect by https: responses then carry the header of HSTS (RFC 6797). Default: false. */
  readonly isHttps?: boolean;
}

/** A reservation of memory of this process for one body. */
export interface HeldBody {
  /**
   * Reserves memory.
   *
   * @returns undefined when the memory is free immediately
   * @throws ServiceError `overloaded` (rejection) when none becomes free in time
   */
  reserve(totalBytes: number): Promise<void> | undefined;
  /** Reserves memory for a body whose length is not known; called again with the new total as more of it arrives. */
  reserveMore(totalBytes: number): Promise<void> | undefined;
  /** Reserves memory that is not essential, without waiting. @returns whether it was free */
  tryReserve(totalBytes: number): boolean;
}

/** A call to forward, from an HTTP client or from a script in this process. */
export interface ProxyRequest extends ProxyCaller {
  readonly method: string;
  /** Path and query as received, including `/proxy`. */
  readonly target: string;
  readonly headers: RawHeaders;
  readonly body: Readable | Buffer | undefined;
  /** The reservation for a body that is held in memory, to be signed or to be sent again. */
  readonly room?: HeldBody | undefined;
  readonly options: ProxyOptions;
  /** Aborts when the caller disconnects, before the response or while its body is read. */
  readonly signal: AbortSignal;
}

/** The response for the caller. Its body must be read or destroyed. */
export interface ProxyResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: string[];
  readonly body: Readable;
}
