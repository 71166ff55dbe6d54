import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { ServiceError } from '../../errors.ts';
import { hasBody } from '../../kit/early-response.ts';
import type { BodyRoom } from './body-budget.ts';

/** Maximum size of a JSON body, unless the route sets another. */
export const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** Time limit for reading a whole body, not counting the time in which it waits for reserved memory (`BodyRoom`). */
export const BODY_DEADLINE_MS = 30_000;
/** Bodies above this size are not read from the socket before memory is reserved for them. */
const HELD_BYTES = 64 * 1024;

export interface BodyLimits {
  readonly maxBytes: number;
  readonly deadlineMs: number;
  readonly room: BodyRoom;
}

/**
 * Pauses the socket of a request with a large body until the body is read: waiting bodies then stay in the memory of the kernel
 * and the sender. To be called when the head has arrived.
 */
export function holdBody(request: IncomingMessage): void {
  if (hasBody(request) && (announcedBytes(request) ?? Number.POSITIVE_INFINITY) > HELD_BYTES) request.socket.pause();
}

/**
 * Reads the body's bytes as sent.
 *
 * @throws ServiceError `payload_too_large`, `request_timeout`; `overloaded` if no memory becomes free for it in time;
 *   `invalid_body` if it ends early
 */
export async function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const announced = announcedBytes(request);
  if (announced === undefined) return collectBody(request, limits);
  if (announced > limits.maxBytes) throw tooLarge(limits.maxBytes);
  await limits.room.reserve(announced);
  return collectBody(request, { ...limits, maxBytes: announced });
}

/**
 * Collects a stream's bytes, reserving room for each piece as it arrives.
 *
 * @throws as `readBody`; the error with which the stream ends
 */
export function collectBody(source: Readable, { maxBytes, deadlineMs, room }: BodyLimits): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  let length = 0;
  const deadline = new ReadingTime(deadlineMs, () => end(new ServiceError('request_timeout', 'the body did not arrive in time')));
  const onData = (piece: Buffer) => {
    length += piece.length;
    if (length > maxBytes) return end(tooLarge(maxBytes));
    pieces.push(piece);
    const wait = room.reserveMore(length);
    if (wait === undefined) return;
    source.pause();
    deadline.stop();
    wait.then(() => {
      deadline.start();
      source.resume();
    }, end);
  };
  const onEnd = () => end();
  const onClose = () => end(new ServiceError('invalid_body', 'the body ended early'));
  const end = (cause?: unknown) => {
    deadline.stop();
    source.off('data', onData).off('end', onEnd).off('close', onClose).pause();
    if (cause === undefined) resolve(Buffer.concat(pieces, length));
    else reject(cause);
  };
  // This listener stays: an error without a listener would end the process.
  source
    .on('data', onData)
    .on('end', onEnd)
    .on('close', onClose)
    .on('error', (cause) => end(ended(cause)));
  deadline.start();
  return promise;
}

/** A timeout that does not run while the sender is made to wait. */
class ReadingTime {
  readonly #onLate: () => void;
  #leftMs: number;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onLate: () => void) {
    this.#leftMs = limitMs;
    this.#onLate = onLate;
  }

  start(): void {
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.#onLate, this.#leftMs);
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#startedAt;
  }
}

/** Returns the announced length of the body; undefined for a chunked body. */
function announcedBytes({ headers }: IncomingMessage): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('payload_too_large', `the body may have at most ${maxBytes} bytes`);
}

/**
 * Returns the error for a broken stream. ECONNRESET means that the caller has disconnected, which must not be logged as a fault
 * of the service.
 */
function ended(cause: Error & { readonly code?: string }): unknown {
  return cause.code === 'ECONNRESET' ? new ServiceError('invalid_body', 'the body ended early', { cause }) : cause;
}
