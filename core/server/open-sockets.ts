import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ServiceError } from '../errors.ts';
import { isBodyMissing } from '../kit/early-response.ts';
import { newRequestId } from '../kit/random-id.ts';
import { markDraining } from './draining.ts';
import type { RequestState } from './request-id.ts';
import { destroyAfter, errorText, REQUEST_ID_HEADER, sendError } from './response.ts';

/** How long a refused caller may take to read the reason before the socket is destroyed. */
const HANG_UP_MS = 1_000;
/** How long a caller that has connected, but not sent a byte, may still send a request once the server is closing. */
const SILENT_MS = 1_000;
/** The fraction of the drain time (`withinMs`) in which new requests are accepted at most; the rest is left for them to end. */
const OPEN_SHARE = 0.8;

export interface Drain {
  /** The time after which sockets that are still open are destroyed. */
  readonly withinMs: number;
  /**
   * How long new requests are still served, each as the last one on its socket: callers notice the shutdown before the service is
   * gone, and no request is lost because the idle socket on which it arrives is just being closed. Default: 0.
   */
  readonly noticeMs?: number;
}

/** Tracks the open sockets of a server, and the requests that are being served. */
export class OpenSockets {
  readonly #server: Server;
  readonly #lingerMs: number;
  readonly #sockets = new Set<Socket>();
  /**
   * The response in progress on each socket. Entries are changed, not deleted: a map that gains and loses an entry for each
   * request keeps garbage alive.
   */
  readonly #responses = new Map<Duplex, ServerResponse | undefined>();
  readonly #ending = new WeakSet<Duplex>();
  readonly #draining = new AbortController();

  constructor(server: Server, lingerMs: number) {
    this.#server = server;
    this.#lingerMs = lingerMs;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      markDraining(socket, this.#draining.signal);
      socket.once('close', () => {
        this.#sockets.delete(socket);
        this.#responses.delete(socket);
      });
    });
  }

  /**
   * Registers a request. Returns whether it is to be served: false if an earlier request was the last one that is served on its
   * socket.
   */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    if (this.#ending.has(socket)) return false;
    this.#responses.set(socket, response);
    // Node 24 drops bytes sent right behind a request whose Upgrade it does not follow; what remains of them would look like a
    // request, so this is the socket's last one.
    if (request.headers.upgrade !== undefined) this.#ending.add(socket);
    if (this.#draining.signal.aborted || this.#ending.has(socket)) response.shouldKeepAlive = false;
    // Runs before Node's own listener, which closes the socket.
    response.prependOnceListener('finish', () => {
      if (!isBodyMissing(request)) return;
      this.#ending.add(socket);
      linger(request, this.#lingerMs);
    });
    response.once('close', () => {
      if (this.#responses.get(socket) === response) this.#responses.set(socket, undefined);
      if (!this.#server.listening) this.#server.closeIdleConnections();
    });
    return true;
  }

  /**
   * Responds in place of the application. Bytes that follow on the socket may be part of this request, and are not read as
   * another one.
   */
  refuse(response: ServerResponse, error: ServiceError, errorPage?: RequestState['errorPage']): void {
    if (response.socket !== null) this.#ending.add(response.socket);
    const requestId = newRequestId();
    response.setHeader(REQUEST_ID_HEADER, requestId);
    response.shouldKeepAlive = false;
    sendError(response, error, errorPage?.(error, { requestId, acceptLanguage: response.req.headers['accept-language'] }));
  }

  /**
   * Responds to bytes that are not a valid request. In the middle of a response no other can be sent, so the socket is destroyed.
   */
  hangUp(socket: Duplex, fault: ServiceError | undefined): void {
    const begun = this.#responses.get(socket)?.headersSent;
    if (fault === undefined || begun || !socket.writable) socket.destroy();
    else hangUp(socket, fault);
  }

  async drain({ withinMs, noticeMs = 0 }: Drain): Promise<void> {
    this.#draining.abort();
    const timer = setTimeout(() => this.#destroy(() => true), withinMs);
    const running = [...this.#responses.values()].filter((response) => response !== undefined);
    for (const response of running) if (!response.headersSent) response.shouldKeepAlive = false;
    if (noticeMs > 0 && this.#sockets.size > 0) {
      await Promise.all([
        pause(noticeMs),
        Promise.race([allClosed(running), pause(withinMs * OPEN_SHARE, undefined, { ref: false })]),
      ]);
    }
    // Timers run before sockets are read: without this turn, the close would reset requests and callers that have just arrived.
    await nextTurn();
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    // Browsers and load balancers connect before they have a request. Node counts such sockets as busy, and would wait for them.
    const silent = setTimeout(() => this.#destroy((socket) => socket.bytesRead === 0), SILENT_MS);
    await closed;
    clearTimeout(silent);
    clearTimeout(timer);
  }

  #destroy(isMeant: (socket: Socket) => boolean): void {
    for (const socket of this.#sockets) if (isMeant(socket)) socket.destroy();
  }
}

async function allClosed(responses: readonly ServerResponse[]): Promise<void> {
  await Promise.all(responses.map((response) => response.closed || new Promise((resolve) => response.once('close', resolve))));
}

interface HangUpOptions {
  /** Default: a new ID. */
  readonly requestId?: string;
  /** Additional headers, names and values in turn. */
  readonly added?: readonly string[];
}

/** Sends the error, then destroys the socket; not immediately, since a reset would overtake the response. */
export function hangUp(socket: Duplex, fault: ServiceError, { requestId = newRequestId(), added }: HangUpOptions = {}): void {
  socket.on('error', () => socket.destroy());
  socket.end(errorText(fault, requestId, added));
  socket.resume();
  destroyAfter(socket, HANG_UP_MS);
}

/**
 * Handles a response that was sent before the request's body ended: ends the sending side of the socket and discards what still
 * arrives, until the body ends or `lingerMs` have passed. Closing a socket with unread bytes would reset it, and the reset
 * overtakes the response (RFC 9112 §9.6).
 */
function linger(request: IncomingMessage, lingerMs: number): void {
  const { socket } = request;
  // Node's own method, which destroys the socket once everything is written; it is called when the request has ended.
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    socket.end();
    destroyAfter(socket, lingerMs);
    request.once('end', destroySoon);
    request.resume();
  };
}
