import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from './errors.ts';
import { ANYONE, authenticateKey } from './http/authenticate.ts';
import type { Caller } from './http/caller.ts';
import type { HttpDeps } from './http/deps.ts';
import { publicError } from './http/error-boundary.ts';
import { consume } from './http/key-limit.ts';
import { countWhenOver } from './http/metrics.ts';
import { hangUp } from './http/open-sockets.ts';
import { requireScope } from './http/require-scope.ts';
import { REQUEST_ID_HEADER, sendError, setHeaders } from './http/response.ts';
import type { StreamSpec } from './http/route.ts';
import type { App } from './http/server.ts';
import { awaitSmallBody } from './kit/early-response.ts';
import { newRequestId } from './kit/random-id.ts';

interface StreamApp extends Pick<App, 'takesUpgrade' | 'upgrade'> {
  /** Responds to a request below a stream's path. @returns whether it is one */
  request(request: IncomingMessage, response: ServerResponse): boolean;
}

/**
 * The routes that stream, the busiest of all, without Koa: its context for each request costs more than everything a stream needs
 * of it. The steps: request ID, authenticate, limit, scope, the route's handler, errors.
 */
export function createStreamApp<S>(services: S, routes: readonly StreamSpec<S>[], deps: HttpDeps): StreamApp {
  const routeOf = ({ url = '' }: IncomingMessage) => routes.find(({ path }) => isAtOrBelow(path, url));
  return {
    request(request, response) {
      const route = routeOf(request);
      if (route !== undefined) void serve(services, { deps, route, request, response });
      return route !== undefined;
    },
    takesUpgrade: (request) => request.headers.upgrade?.toLowerCase() === 'websocket' && routeOf(request)?.upgrade !== undefined,
    upgrade: (request, socket, head) => void upgrade(services, { deps, route: routeOf(request), request, socket, head }),
  };
}

/** @param target of the request line: the path itself, its query, or anything below it */
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
  countWhenOver(deps.metrics, { request, response, route: () => `${route.path}/*` });
  try {
    const caller = await admission.admit(deps, route, request);
    const { requestId, limitHeaders } = admission;
    const openRoom = () => deps.bodies.open({ address: deps.clientAddress(request), isVerified: caller.kind !== 'anyone' });
    await route.handle(services, { requestId, caller, limitHeaders, request, response, openRoom });
  } catch (cause) {
    const error = publicError(deps, cause, admission.requestId);
    await awaitSmallBody(request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.setHeader(REQUEST_ID_HEADER, admission.requestId);
    setHeaders(response, admission.limitHeaders ?? []);
    sendError(response, error);
  }
}

interface Upgrade<S> {
  readonly deps: HttpDeps;
  readonly route: StreamSpec<S> | undefined;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/** The same for WebSocket upgrades, which come as bare sockets. */
async function upgrade<S>(services: S, { deps, route, request, socket, head }: Upgrade<S>): Promise<void> {
  const admission = new Admission();
  const before = bytesWritten(socket);
  // Until the handler has its own: without a listener a reset would end the process.
  socket.on('error', () => socket.destroy());
  try {
    // Before Node 24.9 `takesUpgrade` is not asked, and all upgrades come here.
    if (route?.upgrade === undefined) throw new ServiceError('invalid_headers', 'no upgrade is taken here');
    const caller = await admission.admit(deps, route, request);
    const { requestId, limitHeaders } = admission;
    await route.upgrade(services, { requestId, caller, limitHeaders, request, socket, head });
  } catch (cause) {
    const { requestId, limitHeaders: added } = admission;
    const error = publicError(deps, cause, requestId);
    // Once the handler has begun to write, an error response would be bytes of the other protocol.
    if (!socket.writable || bytesWritten(socket) !== before) socket.destroy();
    else hangUp(socket, error, { requestId, ...(added && { added }) });
  }
}

/** What a response carries whether its request is admitted or not. */
class Admission {
  readonly requestId = newRequestId();
  limitHeaders: readonly string[] | undefined;

  /** @throws ServiceError 401, 403, `too_many_request` */
  async admit<S>(deps: HttpDeps, { access }: StreamSpec<S>, request: IncomingMessage): Promise<Caller> {
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
