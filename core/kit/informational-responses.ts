import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** Maximum size of all informational responses of one exchange. */
const MAX_BYTES = 64 * 1024;
/** Number of bytes, `HTTP/1.1 103`, that are needed to recognise an informational response. */
const STATUS_BYTES = 12;
/** Matches informational responses except 101, which ends the exchange. */
const INFORMATIONAL = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const END_OF_HEAD = '\r\n\r\n';
const EMPTY = Buffer.alloc(0);

/** The state of the exchange that a network connection carries. */
interface SocketExchange {
  /** Number of requests sent on this connection so far. */
  requests: number;
  /** True from the sending of a request until its final response begins. */
  isWaiting: boolean;
  /** The bytes that were read but have not been passed on yet. */
  held: Buffer;
  skippedBytes: number;
}

const exchanges = new WeakMap<object, SocketExchange>();

// undici publishes this event, with the socket, just before it writes the head of a request.
subscribe('undici:client:sendHeaders', (message) => {
  const exchange = exchanges.get((message as { readonly socket: object }).socket);
  if (exchange === undefined) return;
  Object.assign(exchange, { requests: exchange.requests + 1, isWaiting: true, held: EMPTY, skippedBytes: 0 });
});

/**
 * Returns whether the network connection has carried earlier requests, and not a single byte has arrived in response to the
 * current one, not even an informational response. If it ends then, the server may have closed it as idle.
 */
export function isKeptAndSilent(socket: object): boolean {
  const exchange = exchanges.get(socket);
  if (exchange === undefined || exchange.requests < 2) return false;
  return exchange.isWaiting && exchange.held.length === 0 && exchange.skippedBytes === 0;
}

/**
 * Hides informational responses from undici: a client must accept them even if it asked for none (RFC 9110 §15.2), but undici
 * closes the connection when it receives a 100 (`lib/dispatcher/client-h1.js`), although the provider may already have carried
 * out the request.
 *
 * @returns the socket, whose `read` skips them between a request and the head of its response
 */
export function skipInformational<S extends Pick<Socket, 'read' | 'destroy'>>(socket: S): S {
  const exchange: SocketExchange = { requests: 0, isWaiting: false, held: EMPTY, skippedBytes: 0 };
  exchanges.set(socket, exchange);
  const read = socket.read.bind(socket);
  socket.read = (size) => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (chunk === null || !exchange.isWaiting) return chunk;
      exchange.held = exchange.held.length === 0 ? chunk : Buffer.concat([exchange.held, chunk]);
      const passed = passOn(exchange);
      // The held bytes count, too: they may be an informational response that never ends.
      if (exchange.skippedBytes + exchange.held.length <= MAX_BYTES) {
        if (passed !== undefined) return passed;
        continue;
      }
      socket.destroy(new Error(`informational responses of more than ${MAX_BYTES} bytes`));
      return null;
    }
  };
  return socket;
}

/**
 * Drops informational responses from the held bytes.
 *
 * @returns the rest; undefined while all of it is, or may be, informational
 */
function passOn(exchange: SocketExchange): Buffer | undefined {
  while (exchange.held.length >= STATUS_BYTES) {
    const { held } = exchange;
    if (!INFORMATIONAL.test(held.toString('latin1', 0, STATUS_BYTES))) {
      Object.assign(exchange, { isWaiting: false, held: EMPTY });
      return held;
    }
    const end = held.indexOf(END_OF_HEAD);
    if (end < 0) return undefined;
    exchange.skippedBytes += end + END_OF_HEAD.length;
    exchange.held = held.subarray(end + END_OF_HEAD.length);
  }
  return undefined;
}
