import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ServiceError } from '../errors.ts';
import type { RawHeaders } from './request-headers.ts';

/** A body up to this size is kept until the answer is there, so that it can be sent again. */
export const MAX_REPLAY_BYTES = 1024 * 1024;

/**
 * The caller's body on its way to the provider. Stands between the two because a client that fails or answers early destroys
 * the stream it reads from, and with Node's own stream the caller's connection would go too, before it got an answer.
 */
export class Upload extends Readable {
  readonly #request: IncomingMessage;
  readonly #ended = Promise.withResolvers<void>();
  #kept: Buffer[] | undefined;
  #keptBytes = 0;
  #isCut = false;
  readonly #idle: NodeJS.Timeout;

  /** undefined when the request has no body (RFC 9112 §6.3). */
  static of(request: IncomingMessage, limits: { readonly idleMs: number }): Upload | undefined {
    const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
    return coding === undefined && (length === undefined || Number(length) === 0)
      ? undefined
      : new Upload(request, limits.idleMs);
  }

  constructor(request: IncomingMessage, idleMs: number) {
    super();
    this.#request = request;
    // Whoever reads hears of a fault; when nobody does any more, because the answer came first, it must not end the process.
    this.on('error', () => undefined);
    this.#idle = setTimeout(() => this.#onIdle(), idleMs).unref();
    this.#kept = Number(request.headers['content-length'] ?? 0) > MAX_REPLAY_BYTES ? undefined : [];
    if (this.#kept === undefined) this.#ended.resolve();
    request.on('data', (chunk: Buffer) => this.#take(chunk));
    request.once('end', () => this.#finish());
    request.once('close', () => this.#abandon());
    request.on('error', () => this.#abandon());
  }

  /** The whole body once it has come, or undefined when it is too large to be sent again or the caller has gone. */
  async replay(): Promise<Buffer | undefined> {
    await this.#ended.promise;
    return this.#kept === undefined ? undefined : Buffer.concat(this.#kept);
  }

  /**
   * The whole body before any of it is sent; undefined when it is too large.
   *
   * @throws ServiceError `request_timeout` when it does not come to its end
   */
  async whole(): Promise<Buffer | undefined> {
    this.resume();
    const body = await this.replay();
    if (this.#isCut) throw new ServiceError('request_timeout', 'the body of the request stopped coming');
    return body;
  }

  override _read(): void {
    this.#request.resume();
  }

  /** What is still to come is read and dropped (or kept for the next try): a caller who is writing cannot hear the answer. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#request.resume();
    done(error);
  }

  #take(chunk: Buffer): void {
    this.#idle.refresh();
    this.#keep(chunk);
    if (!this.destroyed && !this.push(chunk)) this.#request.pause();
  }

  #keep(chunk: Buffer): void {
    if (this.#kept === undefined) return;
    this.#keptBytes += chunk.length;
    if (this.#keptBytes <= MAX_REPLAY_BYTES) this.#kept.push(chunk);
    else this.#giveUpReplay();
  }

  #finish(): void {
    clearTimeout(this.#idle);
    this.#ended.resolve();
    if (!this.destroyed) this.push(null);
  }

  /** The request is over without its end: whoever reads must not take the part for the whole. */
  #abandon(): void {
    clearTimeout(this.#idle);
    if (!this.#request.complete) this.#fail(new Error('the caller has gone'));
  }

  /** While it is the provider who takes nothing, the exchange has its own limit. */
  #onIdle(): void {
    if (this.#request.isPaused()) this.#idle.refresh();
    else this.#fail(new ServiceError('request_timeout', 'the body of the request stopped coming'));
  }

  #fail(fault: Error): void {
    this.#isCut = true;
    this.#giveUpReplay();
    if (!this.destroyed) this.destroy(fault);
  }

  #giveUpReplay(): void {
    this.#kept = undefined;
    this.#ended.resolve();
  }
}

/** How a body sent along is framed; the transfer coding itself is the sender's business. */
export function framingOf(request: IncomingMessage): RawHeaders {
  const length = request.headers['content-length'];
  return length === undefined ? [] : ['Content-Length', length];
}
