import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../errors.ts';
import { actAs } from '../journal/operation-log/actor.ts';
import { awaitSmallBody, hasBody } from '../kit/early-response.ts';
import { HSTS, HSTS_HEADER, isHttps } from '../kit/hsts.ts';
import { newRequestId } from '../kit/random-id.ts';
import { actorOf } from './access/actor-of.ts';
import { authenticateKey } from './access/authenticate.ts';
import { ANYONE, type Caller } from './access/caller.ts';
import { consume } from './access/key-limit.ts';
import { requireScope } from './access/require-scope.ts';
import type { BodyRoom } from './bodies/body-budget.ts';
import type { HttpDeps } from './deps.ts';
import { publicError } from './error-boundary.ts';
import { hangUp } from './open-sockets.ts';
import { recordWhenOver } from './record-requests.ts';
import { inRequestSpan } from './request-span.ts';
import { REQUEST_ID_HEADER, sendError, setHeaders } from './response.ts';
import type { PlainRoute, StreamSpec, UpgradeExchange } from './route.ts';
import type { App } from './server.ts';

interface StreamApp extends Pick<App, 'takesUpgrade' | 'upgrade'> {
  /** Responds to a request at or below a stream's path. @returns whether it is such a request */
  request(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * Serves the streaming routes, the busiest of all, without Koa, whose context would cost more per request than everything else
 * that a stream needs. The steps are: request ID, authentication, rate limit, scope, the route's handler, errors.
 */
export function createStreamApp<S>(services: S, { streams, sockets }: Streaming<S>, deps: HttpDeps): StreamApp {
  const routeOf = ({ url = '' }: IncomingMessage) => streams.find(({ path }) => isAtOrBelow(path, url));
  const upgradeOf = (request: IncomingMessage): Upgradable | undefined => {
    const [pathname] = (request.url ?? '').split('?', 1);
    const socket = sockets.find((one) => one.path === pathname)?.socket;
    if (socket?.isOffered(services)) return { access: 'public', open: (exchange) => socket.open(services, exchange) };
    const { access, upgrade: open } = routeOf(request) ?? {};
    return access && open && { access, open: (exchange) => open(services, exchange) };
  };
  return {
    request(request, response) {
      const route = routeOf(request);
      if (route === undefined) return false;
      const path = () => `${route.path}/*`;
      void inRequestSpan(deps, { request, response, route: path }, () => serve(services, { deps, route, request, response }));
      return true;
    },
    takesUpgrade: (request) => request.headers.upgrade?.toLowerCase() === 'websocket' && upgradeOf(request) !== undefined,
    upgrade: (request, socket, head) => void upgrade({ deps, route: upgradeOf(request), request, socket, head }),
  };
}

interface Streaming<S> {
  readonly streams: readonly StreamSpec<S>[];
  /** Other routes that accept upgrades. */
  readonly sockets: readonly Pick<PlainRoute<S>, 'path' | 'socket'>[];
}

interface Upgradable {
  readonly access: StreamSpec<never>['access'];
  readonly open: (exchange: UpgradeExchange) => Promise<void>;
}

/** @param target the target of the request line: the path itself, the path with a query, or anything below the path */
function isAtOrBelow(path: string, target: string): boolean {
  if (!target.startsWith(path)) return false;
  const next = target[path.length];
  return next === '/' || next === undefined || next === '?';
}

interface Served<S> {
  readonly deps: HttpDeps;
  readonly route: StreamSpec<S>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function serve<S>(services: S, { deps, route, request, response }: Served<S>): Promise<void> {
  const admission = new Admission();
  const { requestId } = admission;
  recordWhenOver(deps, { request, response, requestId, route: () => `${route.path}/*` });
  try {
    const caller = await admission.admit(deps, route, request);
    const { limitHeaders } = admission;
    using room = hasBody(request) ? openRoom(deps, request, caller) : undefined;
    const exchange = { requestId, caller, limitHeaders, request, response, room };
    await actAs(actorOf(caller), () => route.handle(services, exchange), requestId);
  } catch (cause) {
    const error = publicError(deps, cause, admission.requestId);
    await awaitSmallBody(request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.setHeader(REQUEST_ID_HEADER, admission.requestId);
    if (isHttps(deps.baseUrl)) response.setHeader(HSTS_HEADER, HSTS);
    setHeaders(response, admission.limitHeaders ?? []);
    sendError(response, error);
  }
}

function openRoom({ bodies, clientAddress }: HttpDeps, request: IncomingMessage, { kind }: Caller): BodyRoom {
  return bodies.open({ address: clientAddress(request), isVerified: kind !== 'anyone' });
}

interface Upgrade {
  readonly deps: HttpDeps;
  readonly route: Upgradable | undefined;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** Serves WebSocket upgrades like `serve`, on the bare sockets with which they arrive. */
async function upgrade({ deps, route, request, socket, head }: Upgrade): Promise<void> {
  const admission = new Admission();
  const before = bytesWritten(socket);
  // Covers the time until the handler adds its own listener: an error without a listener, such as a reset, would end the process.
  socket.on('error', () => socket.destroy());
  try {
    // Before Node 24.9 `takesUpgrade` is not called, and all upgrades arrive here.
    if (route === undefined) throw new ServiceError('invalid_headers', 'this endpoint does not accept upgrades');
    const caller = await admission.admit(deps, route, request);
    const { requestId, limitHeaders } = admission;
    const exchange = { requestId, caller, limitHeaders, address: deps.clientAddress(request), request, socket, head };
    await actAs(actorOf(caller), () => route.open(exchange), requestId);
  } catch (cause) {
    const { requestId, limitHeaders: added } = admission;
    const error = publicError(deps, cause, requestId);
    // Once the handler has begun to write, the client would read an error response as bytes of the new protocol.
    if (!socket.writable || bytesWritten(socket) !== before) socket.destroy();
    else hangUp(socket, error, { requestId, added: [...(added ?? []), ...(isHttps(deps.baseUrl) ? [HSTS_HEADER, HSTS] : [])] });
  }
}

/** Admits a request, and keeps the request ID and rate limit that its response carries whether or not it is admitted. */
class Admission {
  readonly requestId = newRequestId();
  limitHeaders: readonly string[] | undefined;

  /** @throws ServiceError 401 without a valid key, 403 without the scope, `too_many_request` above a rate limit */
  async admit(deps: HttpDeps, { access }: Pick<Upgradable, 'access'>, request: IncomingMessage): Promise<Caller> {
    if (access === 'public') return ANYONE;
    const caller = await authenticateKey(deps, request);
    const onLimit = (headers: readonly string[]) => {
      this.limitHeaders = headers;
    };
    if (deps.keyLimit !== undefined) consume(deps.keyLimit, caller, onLimit);
    requireScope(caller, access.scope);
    return caller;
  }
}

function bytesWritten(socket: Duplex): unknown {
  return 'bytesWritten' in socket ? socket.bytesWritten : 0;
}
