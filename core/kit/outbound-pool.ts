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
import type { Tracer } from './tracing.ts';

/**
 * Methods of requests that may be sent again: the idempotent ones (RFC 9110 §9.2.2). A request with a body is not sent again,
 * even with one of these methods.
 */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/**
 * Error codes of connections that the server has closed, as opposed to those that the service has closed because of a deadline.
 */
const ENDED_BY_PEER: ReadonlySet<unknown> = new Set(['ERR_CONNECTION_RESET', 'EPIPE', 'UND_ERR_SOCKET']);
/** Errors of reused connections that ended before a byte of the response arrived. */
const unanswered = new WeakSet<Error>();

/** Settings of the connection pool of each origin. For a streaming exchange, the code that dispatches it sets other timeouts. */
const POOL = {
  connections: 256,
  pipelining: 1,
  allowH2: false,
  maxHeaderSize: MAX_HEAD_BYTES,
  headersTimeout: 60_000,
  bodyTimeout: 60_000,
  keepAliveMaxTimeout: 60_000,
};

/** A pool of network connections that all present the same client certificate, or all present none. */
export interface OutboundPool {
  /** Sends one bounded call; redirects are never followed. @throws OutboundError */
  call(url: URL | string, request?: OutboundRequest): Promise<OutboundResponse>;
  /**
   * The dispatcher for streaming exchanges (`proxy/send.ts`). Call `check` with the URL first; the connections are guarded as
   * well.
   */
  readonly dispatcher: Dispatcher;
  /** Returns a guarded agent for the protocol `http:` or `https:`, for WebSocket upgrades (`proxy/upgrade.ts`). */
  agent(protocol: string): HttpAgent;
}

export interface ClosablePool extends OutboundPool {
  close(how: 'at once' | 'calls under way end'): Promise<void>;
}

type Connect = (destination: Destination) => Promise<Duplex>;

/** The source of a pool's connections. */
interface SocketSource {
  readonly connect: Connect;
  /** @throws OutboundError for a URL that must not be called */
  readonly check: (url: URL) => void;
  /** Creates a span for each bounded call. */
  readonly tracer: Tracer | undefined;
}

interface PoolOptions {
  /** Presented to every server that asks for one. */
  readonly certificate?: ClientCertificate;
  readonly tracer: Tracer | undefined;
}

/** Opens a pool of guarded connections. */
export function openPool(guard: GuardedConnect, { certificate, tracer }: PoolOptions): ClosablePool {
  return poolOf({
    tracer,
    connect: (destination) => connectTo(guard, originOf(destination), certificate),
    check: (url) => guard.check(url),
  });
}

export function poolOf({ connect, check, tracer }: SocketSource): ClosablePool {
  const kept = new UndiciAgent({ ...POOL, connect: undiciConnector(connect) });
  // Without pipelining, undici closes a connection after each response.
  const fresh = new UndiciAgent({ ...POOL, pipelining: 0, connect: undiciConnector(connect) });
  const dispatcher = kept.compose(repeatUnanswered(fresh));
  const httpAgent = guardedAgent(new HttpAgent(), 'http:', connect);
  const httpsAgent = guardedAgent(new HttpsAgent(), 'https:', connect);
  return {
    call: (url, request) => boundedCall({ dispatcher, check, tracer }, url, request),
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
 * Creates undici's connector. It ignores `servername`, which undici derives from a `Host` header if there is one: the certificate
 * would then be checked for that name, not for the host that is called.
 */
function undiciConnector(connect: Connect): buildConnector.connector {
  return ({ protocol, hostname, port }, callback) => {
    connect({ protocol, host: hostname, port }).then(
      (stream) => {
        // undici's type requires a socket, but undici uses it like any stream.
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
 * Renames the code of a reset. undici treats an error with the code ECONNRESET as the normal end of a body without length
 * (client-h1.js, onHttpSocketError); with another code it is reported as an error.
 */
function renameReset(error: NodeJS.ErrnoException): void {
  if (error.code === 'ECONNRESET') error.code = 'ERR_CONNECTION_RESET';
}

/**
 * Makes an agent open guarded connections. The agent's other options (`socketPath`, `localAddress`, `rejectUnauthorized`,
 * `lookup`, `servername`) have no effect.
 */
function guardedAgent<A extends HttpAgent>(agent: A, protocol: string, connect: Connect): A {
  const createConnection: HttpAgent['createConnection'] = ({ host, port }, callback) => {
    connect({ protocol, host: host ?? '', port: port ?? '' }).then(
      (socket) => callback?.(null, socket),
      // Node's type requires a stream in addition to the error, but Node's agent does not use it.
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
 * Returns the origin of a destination. It is parsed as a URL, so that the host is spelled as it was when it was checked.
 *
 * @throws OutboundError for a destination that no URL can name
 */
export function originOf({ protocol, host, port }: Destination): URL {
  const authority = isIPv6(host) ? `[${host}]` : host;
  const origin = URL.parse(`${protocol}//${authority}${port === '' ? '' : `:${port}`}`);
  if (origin === null) throw addressNotAllowed();
  return origin;
}

/** Opens a guarded connection. Being asynchronous, it rejects, rather than throws, when the origin is refused immediately. */
async function connectTo(guard: GuardedConnect, origin: URL, certificate: ClientCertificate | undefined): Promise<Socket> {
  return await guard.connect(origin, certificate);
}

/**
 * Remembers the error if the connection ended before a response. undici reports the same error object for the request, by which
 * the request is recognised as repeatable.
 */
function noteWhetherUnanswered(socket: Socket, error: Error): void {
  if (ENDED_BY_PEER.has(errorCode(error)) && isKeptAndSilent(socket)) unanswered.add(error);
}

/**
 * Sends a request again, on a new connection, if a reused connection ends before a byte of the response has arrived: the server
 * may have closed it as idle while the request was on its way (RFC 9112 §9.3.1, §9.5).
 *
 * @param fresh a dispatcher that uses each connection for one request only
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
