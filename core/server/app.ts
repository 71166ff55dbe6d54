import type { IncomingMessage } from 'node:http';
import Koa from 'koa';
import type { Clock } from '../kit/clock.ts';
import { FixedWindow } from '../kit/fixed-window.ts';
import { HSTS, HSTS_HEADER, isHttps } from '../kit/hsts.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { PROBE_HEADER } from '../kit/probe.ts';
import { SCOPES } from '../tenants/api-keys/scopes.ts';
import { isPermitted } from '../tenants/members/permissions.ts';
import { BodyBudget } from './bodies/body-budget.ts';
import { BODY_DEADLINE_MS } from './bodies/read-body.ts';
import { createClientAddress } from './client-address.ts';
import type { HttpDeps } from './deps.ts';
import { errorBoundary } from './error-boundary.ts';
import { errorPageNear, wantsPage } from './pages/pages.ts';
import { addSighting } from './probe-response.ts';
import { recordRequests } from './record-requests.ts';
import { type RequestState, requestId } from './request-id.ts';
import { RequestLog } from './request-log.ts';
import { traceRequests } from './request-span.ts';
import { isStream, type Route } from './route.ts';
import { createRouter, maxBodyBytes, refuseUnmatched, respondToPreflights } from './router.ts';
import type { App } from './server.ts';
import { createStreamApp } from './stream-app.ts';

const PATH = /^\/$|^(?:\/(?::[a-z0-9_]+|[a-z0-9_.-]+))+$/i;

type FromHttpDeps = 'baseUrl' | 'log' | 'metrics' | 'authenticator' | 'repeatable' | 'describeFault' | 'keyLimit' | 'tracer';

/** The services that the HTTP edge itself uses; handlers get the same object. */
export interface AppServices extends Pick<HttpDeps, FromHttpDeps> {
  readonly clock: Clock;
  /** The keys by which probes of the operator are recognized; if absent, none are. */
  readonly keys?: KeyRing | undefined;
  /** Addresses and CIDRs whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Maximum number per client address and minute of 401 responses, and of 404 responses at secret URLs; 0 means no limit. */
  readonly failuresPerMinute: number;
  /** Default: `BODY_DEADLINE_MS`. */
  readonly bodyDeadlineMs?: number;
  /** How long large bodies wait for memory. Default: 10,000. */
  readonly bodyWaitMs?: number;
}

/**
 * Builds the service as request listeners; `server/server.ts` opens a port for them.
 *
 * @throws Error when a route is declared wrongly, such as without access
 */
export function createApp<S extends AppServices>(services: S, routes: readonly Route<S>[]): App {
  checkRoutes(routes);
  const streamed = routes.filter(isStream);
  const plain = routes.filter((one) => !isStream(one));
  const { log, clock, keys, bodyWaitMs: waitMs } = services;
  const clientAddress = createClientAddress(services.trustedProxies, services.log);
  const largestBytes = Math.max(...plain.map((one) => maxBodyBytes(services, one)));
  const deps: HttpDeps = {
    ...services,
    clientAddress,
    requestLog: new RequestLog(services.log),
    failures: new FixedWindow(services.failuresPerMinute, () => clock.now().getTime()),
    bodies: new BodyBudget({ largestBytes, ...(waitMs !== undefined && { waitMs }) }),
    bodyDeadlineMs: services.bodyDeadlineMs ?? BODY_DEADLINE_MS,
  };

  const app = new Koa<RequestState>();
  app.use(requestId());
  app.use(recordRequests(deps));
  if (deps.tracer !== undefined) app.use(traceRequests(deps));
  app.use(errorBoundary(deps));
  const router = createRouter(services, plain, deps);
  app.use(router.routes());
  app.use(respondToPreflights(router, plain));
  app.use(refuseUnmatched(router, plain));
  // Koa reports sockets that broke while a response was being sent; all other errors reach the error boundary.
  app.on('error', (error: unknown) => log.debug('a response could not be sent', { error }));

  const listener = app.callback();
  const secure = isHttps(services.baseUrl);
  const {
    request: stream,
    takesUpgrade,
    upgrade,
  } = createStreamApp(services, { streams: streamed, sockets: plain.filter(({ socket }) => socket !== undefined) }, deps);
  return {
    request: (request, response) => {
      if (keys !== undefined && request.headers[PROBE_HEADER] !== undefined)
        addSighting({ keys, clock, clientAddress }, request, response);
      if (stream(request, response)) return;
      if (secure) response.setHeader(HSTS_HEADER, HSTS);
      void listener(request, response);
    },
    errorPage: (request) => (wantsPage(request) ? errorPageNear(plain, pathOf(request)) : undefined),
    takesUpgrade,
    upgrade,
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? '';
}

/** Prevents the start when a route is open by mistake, or can never be reached. @throws Error that names every such route */
function checkRoutes<S>(routes: readonly Route<S>[]): void {
  const seen = new Set<string>();
  const faults = routes.flatMap((route) => {
    const name = `${route.method} ${route.path}`;
    const found = [
      !declaresAccess(route) && 'declares neither "public" nor a scope, session or dashboard as its access',
      !PATH.test(route.path) && 'has a path that is not /segments/and/:parameters',
      seen.has(name) && 'is declared twice',
      !isStream(route) && route.method === 'GET' && route.body !== undefined && 'is a GET with a body',
    ];
    seen.add(name);
    return found.filter((fault) => fault !== false).map((fault) => `${name} ${fault}`);
  });
  if (faults.length > 0) throw new Error(`these routes are wrong:\n${faults.join('\n')}`);
}

function declaresAccess<S>({ access }: Route<S>): boolean {
  if (access === 'public') return true;
  // The types are not checked at run time, and a mistake in this declaration could leave a route open.
  if (typeof access !== 'object' || access === null) return false;
  if ('dashboard' in access) return access.dashboard === 'anyone' || isPermitted(access.dashboard);
  return 'session' in access
    ? access.session === true || access.session === 'query'
    : (SCOPES as readonly string[]).includes(access.scope);
}
