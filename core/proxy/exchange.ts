import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline, type Writable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { ServiceError } from '../errors.ts';
import { closeIfEarly } from '../kit/early-answer.ts';
import { timeoutError, toServiceError } from './fault.ts';
import type { RawHeaders } from './request-headers.ts';
import { headerValue, responseHeaders } from './response-headers.ts';
import type { Target } from './target.ts';
import type { Upload } from './upload.ts';

/** An answer that is not for the caller is read this far, so that the connection can be used again; then it is cut. */
const MAX_DISCARDED_BYTES = 64 * 1024;
/** Interim answers (RFC 9110 §15.2) say nothing and may come without end. */
const MAX_INTERIM_ANSWERS = 16;
const SMALL_BYTES = 16 * 1024;
const EMPTY = Buffer.alloc(0);
const PLAIN_REASON = /^[\t\x20-\x7e]*$/;

const DECODERS: Readonly<Record<string, () => Decoder>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};
type Decoder = Writable & NodeJS.ReadableStream;

/** The head of the provider's answer. */
export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: RawHeaders;
}

export interface ExchangeInput {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly limitHeaders?: RawHeaders | undefined;
  readonly target: Target;
  readonly headers: string[];
  readonly body: Upload | Buffer | null;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly decompress: boolean;
  /** Whether this answer is ours to act on; it then waits, unread, until it is forwarded or discarded. */
  readonly isHeld: (answer: Answer) => boolean;
}

/** How an exchange ended, or that it waits. `broken`: the answer stopped in its middle. `gone`: the caller left first. */
export type Outcome =
  | { readonly kind: 'forwarded' | 'broken'; readonly status: number }
  | { readonly kind: 'gone' }
  | { readonly kind: 'held'; readonly answer: Answer; readonly forward: () => Promise<Outcome>; readonly discard: () => void };

/**
 * One HTTP exchange with the provider, streamed both ways. Once the answer's head has gone to the caller nothing is thrown: an
 * answer that breaks off reaches the caller as a reset connection, never as a clean end.
 *
 * @throws ServiceError `provider_unreachable`, `provider_timeout`, `address_not_allowed`
 */
export function exchange(dispatcher: Dispatcher, input: ExchangeInput): Promise<Outcome> {
  return new Exchange(input).start(dispatcher);
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #input: ExchangeInput;
  #controller: Dispatcher.DispatchController | undefined;
  #outcome = Promise.withResolvers<Outcome>();
  #state: 'waiting' | 'held' | 'forwarding' | 'discarding' | 'over' = 'waiting';
  #status = 0;
  #sink: Writable;
  #flushed = false;
  /** Of the body, as announced; NaN when it is not. */
  #length = Number.NaN;
  #discarded = 0;
  #interim = 0;
  #isComplete = false;
  #deadline: NodeJS.Timeout | undefined;
  readonly #onCallerGone = (): void => this.#leave();

  constructor(input: ExchangeInput) {
    this.#input = input;
    this.#sink = input.response;
  }

  start(dispatcher: Dispatcher): Promise<Outcome> {
    const { request, response, target, headers, body, firstByteMs, idleMs } = this.#input;
    if (response.destroyed) return Promise.resolve({ kind: 'gone' });
    response.once('close', this.#onCallerGone);
    const method = request.method ?? 'GET';
    dispatcher.dispatch(
      { origin: target.origin, path: target.path, method, headers, body, headersTimeout: firstByteMs, bodyTimeout: idleMs },
      this,
    );
    return this.#outcome.promise;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#state === 'over') controller.abort(new Error('the caller has gone'));
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, ...[, reason = '']: [unknown, string?]): void {
    if (status < 200) {
      this.#countInterim(controller);
      return;
    }
    clearTimeout(this.#deadline);
    const answer = { status, reason, headers: toText(controller.rawHeaders) };
    this.#status = status;
    if (this.#input.isHeld(answer)) this.#hold(answer);
    else this.#writeHead(answer);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#state !== 'forwarding') {
      this.#countDiscarded(controller, chunk);
      return;
    }
    if (this.#isWhole(chunk)) {
      this.#flushed = true;
      this.#input.response.end(chunk.toString('latin1'), 'latin1');
      return;
    }
    this.#flushed = true;
    if (this.#sink.write(chunk)) return;
    controller.pause();
    // A caller who reads nothing holds a connection of the provider's.
    this.#startDeadline(this.#input.idleMs, () => this.#cut());
    this.#sink.once('drain', () => {
      clearTimeout(this.#deadline);
      controller.resume();
    });
  }

  onResponseEnd(): void {
    this.#isComplete = true;
    // To HEAD undici ends the answer although it was paused.
    if (this.#state !== 'held') this.#finish();
  }

  #finish(): void {
    if (this.#state === 'forwarding' && !this.#sink.writableEnded) this.#sink.end();
    this.#close();
    this.#outcome.resolve({ kind: 'forwarded', status: this.#status });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#state === 'forwarding') this.#cut();
    if (this.#state === 'waiting') this.#outcome.reject(toServiceError(error));
    // A held answer that breaks off is found out when it is forwarded.
    this.#close();
  }

  #hold(answer: Answer): void {
    this.#state = 'held';
    this.#controller?.pause();
    this.#outcome.resolve({ kind: 'held', answer, forward: () => this.#forward(answer), discard: () => this.#discard() });
  }

  #writeHead(answer: Answer): void {
    const { request, response, requestId, limitHeaders, decompress } = this.#input;
    const decoder = decompress && hasBody(request, answer) ? decoderOf(answer) : undefined;
    const added = { requestId, limitHeaders, decompressed: decoder !== undefined };
    const headers = responseHeaders(answer.headers, { status: answer.status, ...added });
    this.#state = 'forwarding';
    closeIfEarly(response);
    this.#length = Number(headerValue(headers, 'content-length'));
    if (PLAIN_REASON.test(answer.reason)) response.writeHead(answer.status, answer.reason, headers);
    else response.writeHead(answer.status, headers);
    if (decoder !== undefined) this.#decodeWith(decoder);
    process.nextTick(flushHead, this);
  }

  /** A head whose body is not there yet (events, slow answers) must not wait for it. */
  flushHead(): void {
    if (this.#flushed || this.#state !== 'forwarding') return;
    this.#flushed = true;
    // Not flushHeaders(): it writes the head as UTF-8, and a header byte above 127 becomes two.
    this.#input.response.write(EMPTY);
  }

  /** Head and body in one go: as text of the same bytes Node writes both with one call, the largest cost of a small answer. */
  #isWhole(chunk: Buffer): boolean {
    return !this.#flushed && chunk.length === this.#length && chunk.length <= SMALL_BYTES && this.#sink === this.#input.response;
  }

  #decodeWith(decoder: Decoder): void {
    this.#sink = decoder;
    pipeline(decoder, this.#input.response, (error) => {
      if (error != null) this.#cut();
    });
  }

  #forward(answer: Answer): Promise<Outcome> {
    this.#outcome = Promise.withResolvers<Outcome>();
    if (this.#state !== 'held') {
      const fault = new ServiceError('provider_unreachable', 'the provider broke off its answer');
      return this.#input.response.destroyed ? Promise.resolve({ kind: 'gone' }) : Promise.reject(fault);
    }
    this.#writeHead(answer);
    if (this.#isComplete) this.#finish();
    else this.#controller?.resume();
    return this.#outcome.promise;
  }

  #discard(): void {
    if (this.#state !== 'held') return;
    this.#state = 'discarding';
    this.#input.response.off('close', this.#onCallerGone);
    this.#controller?.resume();
  }

  #countDiscarded(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#discarded += chunk.length;
    if (this.#discarded > MAX_DISCARDED_BYTES) controller.abort(new Error('the answer is not wanted'));
  }

  /** undici starts its own timer anew with every interim answer. */
  #countInterim(controller: Dispatcher.DispatchController): void {
    this.#interim += 1;
    if (this.#interim === 1) this.#startDeadline(this.#input.firstByteMs, () => controller.abort(timeoutError()));
    if (this.#interim > MAX_INTERIM_ANSWERS) controller.abort(new Error('too many interim answers'));
  }

  /** The caller went away before the answer was complete: nobody is left to read it. */
  #leave(): void {
    this.#outcome.resolve({ kind: 'gone' });
    this.#cut();
  }

  /** Makes the break visible: with a clean end a caller without a length (HTTP/1.0) could take the part for the whole. */
  #cut(): void {
    const { response } = this.#input;
    this.#close();
    this.#outcome.resolve({ kind: 'broken', status: this.#status });
    this.#controller?.abort(new Error('the exchange is over'));
    if (response.headersSent) response.socket?.resetAndDestroy();
    response.destroy();
  }

  #close(): void {
    this.#state = 'over';
    clearTimeout(this.#deadline);
    this.#input.response.off('close', this.#onCallerGone);
  }

  #startDeadline(ms: number, onPassed: () => void): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(onPassed, ms);
  }
}

function flushHead(exchange: Exchange): void {
  exchange.flushHead();
}

function toText(headers: Dispatcher.DispatchController['rawHeaders']): string[] {
  const texts: string[] = [];
  if (!Array.isArray(headers)) return texts;
  for (const part of headers) texts.push(typeof part === 'string' ? part : part.toString('latin1'));
  return texts;
}

/** RFC 9110 §6.4.1. */
function hasBody(request: IncomingMessage, { status }: Answer): boolean {
  return request.method !== 'HEAD' && status !== 204 && status !== 304;
}

function decoderOf({ headers }: Answer): Decoder | undefined {
  const coding = headerValue(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  return Object.hasOwn(DECODERS, coding) ? DECODERS[coding]?.() : undefined;
}
