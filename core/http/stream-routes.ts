import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../errors.ts';
import { awaitSmallBody } from '../kit/early-answer.ts';
import { newRequestId } from '../kit/random-id.ts';
import { REQUEST_ID_HEADER, sendError, setHeaders } from './answer.ts';
import { authenticateRequest, type DoorDeps } from './authenticate.ts';
import { type ErrorDeps, tellError } from './error-boundary.ts';
import { countWhenOver, type Metrics } from './metrics.ts';
import { hangUp } from './open-sockets.ts';
import type { StreamSpec } from './route.ts';
import type { App } from './server.ts';

type StreamDeps = DoorDeps & ErrorDeps & { readonly metrics: Metrics };

/**
 * Answers requests below a stream's path, the busiest of all, without the application: its context for each request costs more
 * than everything a stream needs of it.
 *
 * @returns a listener that says whether the request was its own
 */
export function streams<S>(
  services: S,
  routes: readonly StreamSpec<S>[],
  deps: StreamDeps,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const find = finder(routes);

  const serve = async (route: StreamSpec<S>, request: IncomingMessage, response: ServerResponse) => {
    const requestId = newRequestId();
    let limitHeaders: readonly string[] | undefined;
    const tellLimit = (headers: readonly string[]) => {
      limitHeaders = headers;
    };
    countWhenOver(deps.metrics, { request, response, route: () => `${route.path}/*` });
    try {
      const caller = await authenticateRequest(deps, { access: route.access, request, tellLimit });
      await route.handle(services, { requestId, caller, limitHeaders, request, response });
    } catch (error) {
      const told = tellError(deps, error, requestId);
      await awaitSmallBody(request);
      if (response.headersSent) {
        response.destroy();
        return;
      }
      response.setHeader(REQUEST_ID_HEADER, requestId);
      if (limitHeaders !== undefined) setHeaders(response, limitHeaders);
      sendError(response, told);
    }
  };

  return (request, response) => {
    const route = find(request);
    if (route !== undefined) void serve(route, request, response);
    return route !== undefined;
  };
}

/** The same for WebSocket upgrades, which come as bare sockets. */
export function upgrades<S>(
  services: S,
  routes: readonly StreamSpec<S>[],
  deps: DoorDeps & ErrorDeps,
): Pick<App, 'takesUpgrade' | 'upgrade'> {
  const find = finder(routes.filter((route) => route.upgrade !== undefined));

  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const requestId = newRequestId();
    const before = bytesWritten(socket);
    let limitHeaders: readonly string[] | undefined;
    const tellLimit = (headers: readonly string[]) => {
      limitHeaders = headers;
    };
    // Until the handler has its own: without a listener a reset would end the process.
    socket.on('error', () => socket.destroy());
    try {
      const route = find(request);
      // Before Node 24.9 `takesUpgrade` is not asked, and all upgrades come here.
      if (route?.upgrade === undefined) throw new ServiceError('invalid_headers', 'no upgrade is taken here');
      const caller = await authenticateRequest(deps, { access: route.access, request, tellLimit });
      await route.upgrade(services, { requestId, caller, limitHeaders, request, socket, head });
    } catch (error) {
      const told = tellError(deps, error, requestId);
      if (socket.writable && bytesWritten(socket) === before)
        hangUp(socket, told, { requestId, ...(limitHeaders && { added: limitHeaders }) });
      else socket.destroy();
    }
  };

  return {
    takesUpgrade: (request) => request.headers.upgrade?.toLowerCase() === 'websocket' && find(request) !== undefined,
    upgrade: (request, socket, head) => void upgrade(request, socket, head),
  };
}

/** Once the handler has begun to speak, an error answer would be bytes of the other protocol. */
function bytesWritten(socket: Duplex): unknown {
  return 'bytesWritten' in socket ? socket.bytesWritten : 0;
}

function finder<S>(routes: readonly StreamSpec<S>[]): (request: IncomingMessage) => StreamSpec<S> | undefined {
  const prefixes = routes.map((route) => ({ prefix: `${route.path}/`, route }));
  return ({ url = '' }) => prefixes.find(({ prefix }) => url.startsWith(prefix))?.route;
}
