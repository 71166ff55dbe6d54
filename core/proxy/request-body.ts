import { Readable } from 'node:stream';
import { ServiceError } from '../errors.ts';
import type { HeldBody, ProxyRequest } from './message.ts';
import { headerValue, type RawHeaders } from './raw-headers.ts';

/** A body up to this size is kept until the response arrives, so that it can be sent again. */
const MAX_REPLAY_BYTES = 1024 * 1024;

/** Time limit for receiving a body that must be complete before it is sent: until then it occupies memory. */
const WHOLE_MS = 60_000;

/** The caller's body, for any number of attempts. */
export class RequestBody {
  readonly #upload: Upload | undefined;
  /** The body for the next attempt. */
  #content: Upload | Buffer | null;
  /** The framing of the body; the transfer coding itself is up to the sender. */
  readonly framing: RawHeaders;

  constructor({ body, headers, options, room }: Pick<ProxyRequest, 'body' | 'headers' | 'options' | 'room'>) {
    const length = headerValue(headers, 'content-length');
    const limits = { length: Number(length ?? 0), idleMs: options.idleMs, room };
    this.#upload = body instanceof Readable ? new Upload(body, limits) : undefined;
    this.#content = this.#upload ?? (body instanceof Buffer && body.length > 0 ? body : null);
    this.framing = length === undefined || this.#content === null ? [] : ['Content-Length', length];
  }

  get content(): Readable | Buffer | null {
    return this.#content;
  }

  /** Makes the body ready for another attempt; returns false when it cannot be sent again. */
  async rewind(): Promise<boolean> {
    if (this.#upload === undefined) return true;
    const replay = await this.#upload.replay();
    if (replay !== undefined) this.#content = replay;
    return replay !== undefined;
  }

  /**
   * Waits for the whole body, which is to be signed.
   *
   * @throws ServiceError `payload_too_large` above 1 MiB; `request_timeout` if it does not arrive in time; `overloaded` if there
   *   is no memory for it
   */
  async whole(): Promise<Buffer> {
    if (this.#content instanceof Upload) {
      const whole = await this.#content.whole();
      if (whole === undefined) throw new ServiceError('payload_too_large', 'a body larger than 1 MiB cannot be signed');
      this.#content = whole;
    }
    return this.#content ?? Buffer.alloc(0);
  }
}

interface UploadLimits {
  /** The announced length of the body; 0 when none was announced. */
  readonly length: number;
  readonly idleMs: number;
  /** The reservation of memory for the part of the body that is kept. */
  readonly room: HeldBody | undefined;
}

/**
 * Forwards the caller's body to the provider. It is a separate stream, since an HTTP client that fails or responds early destroys
 * the stream it reads from: if that were Node's own, the caller's socket would be closed before the caller got a response.
 */
export class Upload extends Readable {
  readonly #source: Readable;
  readonly #length: number;
  readonly #ended = Promise.withResolvers<void>();
  #kept: Buffer[] | undefined;
  #keptBytes = 0;
  #isComplete = false;
  #isWithoutRoom = false;
  #isCut = false;
  readonly #room: HeldBody | undefined;
  /**
   * True when the whole body is needed: it then waits for memory. If false, the copy for another attempt is given up when there
   * is no memory for it.
   */
  #isWhole = false;
  #isWaitingForRoom = false;
  readonly #idle: NodeJS.Timeout;

  constructor(source: Readable, { length, idleMs, room }: UploadLimits) {
    super();
    this.#source = source;
    this.#length = length;
    this.#room = room;
    // The stream's reader handles errors; after an early response there is no reader, and an error must not end the process.
    this.on('error', () => undefined);
    this.#idle = setTimeout(() => this.#onIdle(), idleMs).unref();
    this.#kept = length > MAX_REPLAY_BYTES ? undefined : [];
    if (this.#kept === undefined) this.#ended.resolve();
    source.on('data', (chunk: Buffer) => this.#onChunk(chunk));
    source.once('end', () => this.#onEnd());
    source.once('close', () => this.#onClose());
    source.on('error', () => this.#onClose());
  }

  /** Returns the whole body once it has arrived; undefined if it is too large to send again, or the caller has disconnected. */
  async replay(): Promise<Buffer | undefined> {
    await this.#ended.promise;
    return this.#kept === undefined ? undefined : Buffer.concat(this.#kept);
  }

  /**
   * Returns the whole body before any of it is sent; undefined if it is too large.
   *
   * @throws ServiceError `request_timeout` if it does not arrive completely; `overloaded` if there is no memory for it
   */
  async whole(): Promise<Buffer | undefined> {
    if (this.#isWithoutRoom) throw new ServiceError('overloaded', 'too many bodies are arriving', { retryAfterSeconds: 10 });
    if (this.#kept === undefined) return undefined;
    this.#isWhole = true;
    await this.#room?.reserve(this.#length);
    this.resume();
    const deadline = setTimeout(() => this.#fail(new Error('the body arrives too slowly')), WHOLE_MS).unref();
    const body = await this.replay();
    clearTimeout(deadline);
    if (this.errored instanceof ServiceError) throw this.errored;
    if (this.#isCut) throw new ServiceError('request_timeout', 'the request body did not arrive completely or in time');
    return body;
  }

  override _read(): void {
    if (!this.#isWaitingForRoom) this.#source.resume();
  }

  /** Reads and drops the rest (or keeps it for a retry): a caller that is still writing does not read the response. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#source.resume();
    done(error);
  }

  #onChunk(chunk: Buffer): void {
    this.#idle.refresh();
    this.#keep(chunk);
    this.#waitForRoom();
    if (!this.destroyed && !this.push(chunk)) this.#source.pause();
  }

  #waitForRoom(): void {
    const wait = this.#isWhole && this.#kept ? this.#room?.reserveMore(this.#keptBytes) : undefined;
    if (wait === undefined) return;
    this.#isWaitingForRoom = true;
    this.#source.pause();
    const goOn = () => {
      this.#isWaitingForRoom = false;
      this.#source.resume();
    };
    wait.then(goOn, (fault: Error) => this.#fail(fault));
  }

  #keep(chunk: Buffer): void {
    if (this.#kept === undefined) return;
    this.#keptBytes += chunk.length;
    const hasRoom = this.#isWhole || this.#room?.tryReserve(this.#keptBytes) !== false;
    // Until somebody reads this stream, the whole body may still be requested, so it is kept without a reservation, too: no more
    // than a buffer's worth arrives until then.
    this.#isWithoutRoom = !hasRoom && this.readableDidRead;
    if (this.#keptBytes <= MAX_REPLAY_BYTES && !this.#isWithoutRoom) this.#kept.push(chunk);
    else this.#dropReplay();
  }

  #onEnd(): void {
    clearTimeout(this.#idle);
    this.#isComplete = true;
    this.#ended.resolve();
    if (!this.destroyed) this.push(null);
  }

  /** Fails if the request ended early: the reader must not mistake the part for the whole. */
  #onClose(): void {
    clearTimeout(this.#idle);
    if (!this.#isComplete) this.#fail(new Error('the caller has disconnected'));
  }

  /** Fails if the caller stopped sending. If the provider does not read, the time limit of the exchange applies instead. */
  #onIdle(): void {
    if (this.#source.isPaused()) this.#idle.refresh();
    else this.#fail(new ServiceError('request_timeout', 'the request body stopped arriving'));
  }

  #fail(fault: Error): void {
    this.#isCut = true;
    this.#dropReplay();
    if (!this.destroyed) this.destroy(fault);
  }

  #dropReplay(): void {
    this.#kept = undefined;
    this.#ended.resolve();
  }
}
