import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { newRequestId } from '../kit/random-id.ts';
import { admit, type DoorDeps } from './authenticate.ts';
import { hangUp } from './connections.ts';
import { type ErrorDeps, tellError } from './error-boundary.ts';
import type { RequestState } from './request-id.ts';
import type { StreamSpec } from './route.ts';
import type { App } from './server.ts';

/** Hands requests below a stream's path to it; comes before the router, whose patterns the busiest path need not try. */
export function streams<S>(services: S, routes: readonly StreamSpec<S>[], deps: DoorDeps): Middleware<RequestState> {
  const find = finder(routes);
  return async (ctx, next) => {
    const route = find(ctx.req);
    if (route === undefined) return next();
    ctx.state.route = `${route.path}/*`;
    const caller = await admit(deps, route.access, ctx.req);
    // Koa begins with 404; a handler expects node's own default.
    ctx.res.statusCode = 200;
    await route.handle(services, { requestId: ctx.state.requestId, caller, request: ctx.req, response: ctx.res });
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
    // Until the handler has its own: without a listener a reset would end the process.
    socket.on('error', () => socket.destroy());
    try {
      const route = find(request);
      // Before Node 24.9 `takesUpgrade` is not asked, and all upgrades come here.
      if (route?.upgrade === undefined) throw new ServiceError('invalid_headers', 'no upgrade is taken here');
      const caller = await admit(deps, route.access, request);
      await route.upgrade(services, { requestId, caller, request, socket, head });
    } catch (error) {
      const told = tellError(deps, error, requestId);
      if (socket.writable && bytesWritten(socket) === before) hangUp(socket, told, requestId);
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
