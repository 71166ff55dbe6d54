import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../errors.ts';
import { errorCode } from '../kit/error-code.ts';
import type { Logger } from '../kit/logger.ts';
import { holdBody } from './bodies/read-body.ts';
import { type Drain, hangUp, OpenSockets } from './open-sockets.ts';
import { faultInHead, headersTooLarge, uriTooLong } from './request-head.ts';
import type { RequestState } from './request-id.ts';

const HEADERS_TIMEOUT_MS = 10_000;
/**
 * How long an idle socket is kept: longer than the 60 s of common load balancers, so that they close theirs first. If this server
 * did, it could do so just as a request arrives, which would then fail.
 */
const KEEP_ALIVE_MS = 65_000;
const LINGER_MS = 5_000;
const MAX_CONNECTIONS = 10_000;
/**
 * The limit of Node's parser, above that of the service (`request-head.ts`) so that a long URL can be distinguished from large
 * headers.
 */
const PARSER_LIMIT_BYTES = 40 * 1024;

export interface App {
  readonly request: RequestListener;
  /** Returns whether this request may switch to another protocol; others are served as if they had no Upgrade header. */
  readonly takesUpgrade: (request: IncomingMessage) => boolean;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  /** Returns the page that a person's browser gets for a URL that is too long; undefined means the usual error body. */
  readonly errorPage?: (request: IncomingMessage) => RequestState['errorPage'];
}

interface ListenOptions {
  readonly app: App;
  /** 0 means any free port. */
  readonly port: number;
  readonly host: string;
  readonly log: Logger;
  readonly headersTimeoutMs?: number;
  /**
   * How long the rest of a request's body is read after its response. If the socket were closed before that, the caller could get
   * a reset in place of the response.
   */
  readonly lingerMs?: number;
}

export interface RunningServer {
  readonly address: string;
  readonly port: number;
  /** Waits for running requests to end, and destroys sockets that are still open after `withinMs`. */
  close(drain: Drain): Promise<void>;
}

/** Opens the port. @throws Error that names the address, and for the usual causes what to do */
export async function listen(options: ListenOptions): Promise<RunningServer> {
  const server = createHttpServer(options);
  const sockets = new OpenSockets(server, options.lingerMs ?? LINGER_MS);
  server.on('clientError', (error: ParserError, socket) => sockets.hangUp(socket, faultOfParser(error)));
  server.on('connect', (_, socket: Duplex) => hangUp(socket, new ServiceError('method_not_allowed', 'CONNECT is not supported')));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const fault = new ServiceError('invalid_headers', 'the only supported expectation is "100-continue"');
    if (sockets.begin(request, response)) sockets.refuse(response, fault);
  });
  server.on('request', (request, response) => {
    if (!sockets.begin(request, response)) return;
    const fault = faultInHead(request);
    holdBody(request);
    if (fault === undefined) options.app.request(request, response);
    else sockets.refuse(response, fault, fault.code === 'uri_too_long' ? options.app.errorPage?.(request) : undefined);
  });
  server.on('upgrade', (request, socket, head) => {
    const fault = faultInHead(request);
    if (fault === undefined) options.app.upgrade(request, socket, head);
    else hangUp(socket, fault);
  });

  const { address, port } = await bind(server, options);
  // The cause may pass, for example a lack of file descriptors: the server continues, and the next caller may succeed in
  // connecting.
  server.on('error', (error) => options.log.error('a network connection could not be accepted', { error }));
  return { address, port, close: (drain) => sockets.drain(drain) };
}

function createHttpServer({ app, headersTimeoutMs = HEADERS_TIMEOUT_MS }: ListenOptions): Server {
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.min(1_000, headersTimeoutMs),
    // A time limit on whole requests would cut off long uploads; bodies that the service parses have a limit in `read-body.ts`.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: PARSER_LIMIT_BYTES,
    // The service refuses a missing Host itself, in the format of every other error.
    requireHostHeader: false,
    shouldUpgradeCallback: app.takesUpgrade,
  });
  server.maxConnections = MAX_CONNECTIONS;
  // With a limit, Node would silently drop the header fields beyond it; the service counts the fields in `request-head.ts`.
  server.maxHeadersCount = 0;
  return server;
}

async function bind(server: Server, { port, host }: ListenOptions): Promise<AddressInfo> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  try {
    await promise;
  } catch (cause) {
    throw new Error(explain(cause, `${host}:${port}`), { cause });
  } finally {
    server.off('error', reject);
  }
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the server does not listen on a TCP port');
  return bound;
}

function explain(cause: unknown, place: string): string {
  const code = errorCode(cause);
  if (code === 'EADDRINUSE') return `${place} is in use: stop the process that listens there, or set PORT to another port`;
  if (code === 'EACCES') return `${place} may not be opened by this user: set PORT to 1024 or higher`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${place} is not an address of this machine: correct HOST`;
  return `cannot listen on ${place}`;
}

type ParserError = Error & { readonly code?: string; readonly rawPacket?: Buffer };

function faultOfParser(error: ParserError): ServiceError | undefined {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('request_timeout', 'the request head did not arrive in time');
  if (error.code === 'HPE_HEADER_OVERFLOW') return hasEndlessFirstLine(error.rawPacket) ? uriTooLong() : headersTooLarge();
  if (error.code?.startsWith('HPE_')) return new ServiceError('invalid_headers', 'the request is not valid HTTP/1.1');
  return undefined;
}

function hasEndlessFirstLine(packet: Buffer | undefined): boolean {
  return packet !== undefined && !packet.subarray(0, PARSER_LIMIT_BYTES).includes('\n');
}
