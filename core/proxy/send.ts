import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { toServiceError } from './fault.ts';
import type { RawHeaders } from './raw-headers.ts';
import type { UpstreamTarget } from './target.ts';

/** The body of a discarded response is read up to this size, so that the network connection can be reused. */
const MAX_DISCARDED_BYTES = 64 * 1024;

interface UpstreamRequest {
  readonly method: string;
  readonly target: UpstreamTarget;
  readonly headers: string[];
  readonly body: Readable | Buffer | null;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly signal: AbortSignal;
}

export interface ResponseHead {
  readonly status: number;
  readonly reason: string;
  readonly headers: RawHeaders;
}

/** The provider's response. */
export interface UpstreamResponse extends ResponseHead {
  /** Ends without an error only if the body is complete. */
  readonly body: Readable;
}

/**
 * Sends one request to the provider. The request's signal also aborts the body of the response.
 *
 * @throws ServiceError `provider_unreachable`, `provider_timeout`, `address_not_allowed`; the signal's reason when it aborts
 */
export function send(dispatcher: Dispatcher, request: UpstreamRequest): Promise<UpstreamResponse> {
  if (request.signal.aborted) return Promise.reject(request.signal.reason);
  const { method, target, headers, body, firstByteMs, idleMs } = request;
  const handler = new ResponseHandler(request);
  const { origin, path } = target;
  dispatcher.dispatch({ origin, path, method, headers, body, headersTimeout: firstByteMs, bodyTimeout: idleMs }, handler);
  return handler.response;
}

/** Drops a response that is not for the caller. */
export function discard({ body }: UpstreamResponse): void {
  let bytes = 0;
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DISCARDED_BYTES) body.destroy();
  });
}

class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #request: UpstreamRequest;
  readonly #response = Promise.withResolvers<UpstreamResponse>();
  #controller: Dispatcher.DispatchController | undefined;
  #body: ResponseBody | undefined;
  readonly #onAbort = () => this.#abort();

  constructor(request: UpstreamRequest) {
    this.#request = request;
    request.signal.addEventListener('abort', this.#onAbort);
  }

  get response(): Promise<UpstreamResponse> {
    return this.#response.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#request.signal.aborted) controller.abort(this.#request.signal.reason);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, _headers: unknown, reason = ''): void {
    this.#body = new ResponseBody(controller, () => this.#stopListening());
    this.#response.resolve({ status, reason, headers: toText(controller.rawHeaders), body: this.#body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body?.push(chunk) === false) controller.pause();
  }

  onResponseEnd(): void {
    this.#body?.complete();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#body !== undefined) {
      this.#body.destroy(error);
      return;
    }
    this.#stopListening();
    this.#response.reject(toServiceError(error));
  }

  /** Aborts the exchange: the caller has disconnected, so the response has no reader. */
  #abort(): void {
    const { reason } = this.#request.signal;
    if (this.#body !== undefined) {
      this.#body.destroy(reason);
      return;
    }
    this.#stopListening();
    this.#response.reject(reason);
    this.#controller?.abort(reason);
  }

  #stopListening(): void {
    this.#request.signal.removeEventListener('abort', this.#onAbort);
  }
}

class ResponseBody extends Readable {
  readonly #controller: Dispatcher.DispatchController;
  readonly #onClose: () => void;
  #isComplete = false;

  constructor(controller: Dispatcher.DispatchController, onClose: () => void) {
    super();
    this.#controller = controller;
    this.#onClose = onClose;
    // The body may fail before anybody reads it; the reader notices that later, and it must not end the process.
    this.on('error', () => undefined);
  }

  complete(): void {
    this.#isComplete = true;
    this.push(null);
  }

  override _read(): void {
    this.#controller.resume();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#onClose();
    if (!this.#isComplete) this.#controller.abort(error ?? new Error('the response was discarded'));
    done(error);
  }
}

function toText(headers: Dispatcher.DispatchController['rawHeaders']): string[] {
  const texts: string[] = [];
  if (!Array.isArray(headers)) return texts;
  for (const part of headers) texts.push(typeof part === 'string' ? part : part.toString('latin1'));
  return texts;
}
