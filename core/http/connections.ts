import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '../errors.ts';
import { newRequestId } from '../kit/random-id.ts';
import { errorText, REQUEST_ID_HEADER, sendError } from './answer.ts';

/** How long a refused caller may take to read why. */
const HANG_UP_MS = 1_000;

/** What is open at a server, and what is being answered there. */
export class Connections {
  readonly #server: Server;
  readonly #lingerMs: number;
  readonly #sockets = new Set<Socket>();
  readonly #answers = new Map<Duplex, ServerResponse>();
  readonly #ending = new WeakSet<Duplex>();
  #draining = false;

  constructor(server: Server, lingerMs: number) {
    this.#server = server;
    this.#lingerMs = lingerMs;
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** Whether the request is to be answered: not when it was sent behind the last one of its connection. */
  begin(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    if (this.#ending.has(socket)) return false;
    this.#answers.set(socket, response);
    // Node 24 drops what was sent right behind a request whose Upgrade it does not follow; a remainder would look like a request.
    if (request.headers.upgrade !== undefined) this.#ending.add(socket);
    if (this.#draining || this.#ending.has(socket)) response.shouldKeepAlive = false;
    response.once('close', () => {
      if (this.#answers.get(socket) === response) this.#answers.delete(socket);
      if (this.#draining) this.#server.closeIdleConnections();
      if (!request.complete && !socket.destroyed) linger(request, this.#lingerMs);
    });
    return true;
  }

  /** Answers in the application's place. What follows on the connection may be part of this request, and is not read. */
  refuse(response: ServerResponse, error: ServiceError): void {
    if (response.socket !== null) this.#ending.add(response.socket);
    response.setHeader(REQUEST_ID_HEADER, newRequestId());
    response.shouldKeepAlive = false;
    sendError(response, error);
  }

  /** Answers bytes that are no request. In the middle of an answer there is no room for another: that one is cut. */
  hangUp(socket: Duplex, fault: ServiceError | undefined): void {
    const begun = this.#answers.get(socket)?.headersSent;
    if (fault === undefined || begun || !socket.writable) socket.destroy();
    else hangUp(socket, fault);
  }

  async drain(withinMs: number): Promise<void> {
    this.#draining = true;
    for (const response of this.#answers.values()) if (!response.headersSent) response.shouldKeepAlive = false;
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, withinMs);
    await closed;
    clearTimeout(timer);
  }
}

/** Says why, then closes; not at once, or the reset would overtake the words. */
export function hangUp(socket: Duplex, fault: ServiceError, requestId = newRequestId()): void {
  socket.on('error', () => socket.destroy());
  socket.end(errorText(fault, requestId));
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), HANG_UP_MS);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
}

function linger(request: IncomingMessage, lingerMs: number): void {
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, lingerMs);
  timer.unref();
}
