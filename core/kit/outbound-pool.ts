import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isIPv6, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type buildConnector, type Dispatcher, Agent as UndiciAgent } from 'undici';
import type { ClientCertificate } from './client-certificate.ts';
import { errorCode } from './error-code.ts';
import type { GuardedConnect } from './guarded-connect.ts';
import { isKeptAndSilent, skipInformational } from './informational-responses.ts';
import { boundedCall, type OutboundRequest, type OutboundResponse } from './outbound-call.ts';
import { addressNotAllowed, MAX_HEAD_BYTES } from './outbound-error.ts';

/** Idempotent methods (RFC 9110 §9.2.2). A request with a body is not repeated, whatever its method is. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** Error codes of connections that the other side ended, as opposed to those that a deadline of the service ended. */
const ENDED_BY_PEER: ReadonlySet<unknown> = new Set(['ERR_CONNECTION_RESET', 'EPIPE', 'UND_ERR_SOCKET']);
/** Errors of connections that had been used before, and ended without a byte of the response. */
const unanswered = new WeakSet<Error>();

/** Settings of the connection pool of every origin. The timeouts of a streaming exchange are set by the code that dispatches it. */
const POOL = {
  connections: 256,
  pipelining: 1,
  allowH2: false,
  maxHeaderSize: MAX_HEAD_BYTES,
  headersTimeout: 60_000,
  bodyTimeout: 60_000,
  keepAliveMaxTimeout: 60_000,
};

/** A pool of connections that present the same client certificate, or none. */
export interface OutboundPool {
  /** Sends one bounded call; redirects are never followed. @throws OutboundError */
  call(url: URL | string, request?: OutboundRequest): Promise<OutboundResponse>;
  /** The dispatcher for streaming exchanges (`proxy/send.ts`). Call `check` first; the connection itself is guarded, too. */
  readonly dispatcher: Dispatcher;
  /** Returns a guarded agent of the protocol `http:` or `https:`, for WebSocket upgrades (`proxy/upgrade.ts`). */
  agent(protocol: string): HttpAgent;
}

export interface ClosablePool extends OutboundPool {
  close(how: 'at once' | 'calls under way end'): Promise<void>;
}

type Connect = (destination: Destination) => Promise<Duplex>;

/** The source of a pool's connections. */
interface SocketSource {
  readonly connect: Connect;
  /** @throws OutboundError */
  readonly check: (url: URL) => void;
}

/** Opens a pool of guarded connections. @param certificate presented to every server that asks for one */
export function openPool(guard: GuardedConnect, certificate?: ClientCertificate): ClosablePool {
  return poolOf({
    connect: (destination) => connectTo(guard, originOf(destination), certificate),
    check: (url) => guard.check(url),
  });
}

export function poolOf({ connect, check }: SocketSource): ClosablePool {
  const kept = new UndiciAgent({ ...POOL, connect: undiciConnector(connect) });
  // Without pipelining undici ends a connection after its response.
  const fresh = new UndiciAgent({ ...POOL, pipelining: 0, connect: undiciConnector(connect) });
  const dispatcher = kept.compose(repeatUnanswered(fresh));
  const httpAgent = guardedAgent(new HttpAgent(), 'http:', connect);
  const httpsAgent = guardedAgent(new HttpsAgent(), 'https:', connect);
  return {
    call: (url, request) => boundedCall({ dispatcher, check }, url, request),
    dispatcher,
    agent: (protocol) => (protocol === 'https:' ? httpsAgent : httpAgent),
    async close(how) {
      httpAgent.destroy();
      httpsAgent.destroy();
      await Promise.all([kept, fresh].map((agent) => (how === 'at once' ? agent.destroy() : agent.close())));
    },
  };
}

/**
 * Creates undici's connector. It ignores the `servername`, which follows a `Host` header: the server would be asked for the
 * certificate of that host.
 */
function undiciConnector(connect: Connect): buildConnector.connector {
  return ({ protocol, hostname, port }, callback) => {
    connect({ protocol, host: hostname, port }).then(
      (stream) => {
        // undici's type demands a socket; undici uses it like any stream.
        const socket = stream as Socket;
        socket.prependListener('error', (error) => {
          renameReset(error);
          noteWhetherUnanswered(socket, error);
        });
        callback(null, skipInformational(socket));
      },
      (error: Error) => callback(error, null),
    );
  };
}

/**
 * Renames the code of a reset. undici treats an error with that code as the end of a body without length (client-h1.js,
 * onHttpSocketError): under another name it stays the fault that it is.
 */
function renameReset(error: NodeJS.ErrnoException): void {
  if (error.code === 'ECONNRESET') error.code = 'ERR_CONNECTION_RESET';
}

/**
 * Makes an agent open guarded connections. Its other options (`socketPath`, `localAddress`, `rejectUnauthorized`, `lookup`,
 * `servername`) have no effect.
 */
function guardedAgent<A extends HttpAgent>(agent: A, protocol: string, connect: Connect): A {
  const createConnection: HttpAgent['createConnection'] = ({ host, port }, callback) => {
    connect({ protocol, host: host ?? '', port: port ?? '' }).then(
      (socket) => callback?.(null, socket),
      // Node's type demands a stream beside the error; its agent does not look at it.
      (error: Error) => callback?.(error, new Socket()),
    );
    return undefined;
  };
  return Object.assign(agent, { createConnection });
}

export interface Destination {
  readonly protocol: string;
  readonly host: string;
  readonly port: string | number;
}

/**
 * Returns the origin of a destination. It is built by a URL, so that all code sees a host in the one spelling that was checked.
 *
 * @throws OutboundError
 */
export function originOf({ protocol, host, port }: Destination): URL {
  const authority = isIPv6(host) ? `[${host}]` : host;
  const origin = URL.parse(`${protocol}//${authority}${port === '' ? '' : `:${port}`}`);
  if (origin === null) throw addressNotAllowed();
  return origin;
}

/** Opens a guarded connection; also rejects, rather than throws, when the origin is refused at once. */
async function connectTo(guard: GuardedConnect, origin: URL, certificate: ClientCertificate | undefined): Promise<Socket> {
  return await guard.connect(origin, certificate);
}

/** Remembers the error if the connection ended unanswered: undici passes a request the very error that its socket emits. */
function noteWhetherUnanswered(socket: Socket, error: Error): void {
  if (ENDED_BY_PEER.has(errorCode(error)) && isKeptAndSilent(socket)) unanswered.add(error);
}

/**
 * Sends a request once more, on a new connection, if a kept connection ends before a byte of the response has arrived: a server
 * may close a connection that it considers idle while a request is on its way (RFC 9112 §9.3.1, §9.5).
 *
 * @param fresh uses each connection for one request
 */
function repeatUnanswered(fresh: Dispatcher): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, isRepeatable(options) ? withRepetition(handler, () => fresh.dispatch(options, handler)) : handler);
}

function isRepeatable({ method, body, upgrade }: Dispatcher.DispatchOptions): boolean {
  return REPEATABLE.has(method) && (body ?? null) === null && !upgrade;
}

function withRepetition(handler: Dispatcher.DispatchHandler, repeat: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...started) => handler.onRequestStart?.(...started),
    onResponseStart: (...head) => handler.onResponseStart?.(...head),
    onResponseData: (...piece) => handler.onResponseData?.(...piece),
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError: (controller, error) => {
      if (unanswered.has(error)) repeat();
      else handler.onResponseError?.(controller, error);
    },
  };
}
