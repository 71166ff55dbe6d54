import type { IncomingMessage } from 'node:http';
import Router, { type RouterContext } from '@koa/router';
import type { Middleware } from 'koa';
import * as z from 'zod';
import { ServiceError } from '../errors.ts';
import { actAs } from '../journal/operation-log/actor.ts';
import { actorOf } from './access/actor-of.ts';
import { authenticateRequest, countRefusals, GUESSABLE, UNAUTHORIZED } from './access/authenticate.ts';
import type { Caller } from './access/caller.ts';
import { readJsonBody, refuseBody } from './bodies/json-body.ts';
import { rawRequest } from './bodies/raw-request.ts';
import { type BodyLimits, MAX_BODY_BYTES } from './bodies/read-body.ts';
import { readUpload } from './bodies/upload.ts';
import { checkInput, inputError } from './check-input.ts';
import { admitPage, isForPages, OPEN_TO_PAGES, preflightReply } from './cors.ts';
import type { HttpDeps } from './deps.ts';
import { errorPageNear, pathsOf, withoutSlash } from './pages/pages.ts';
import { isPrefetch } from './prefetch.ts';
import { readQuery } from './query.ts';
import { repetitionOf } from './repeatable-call.ts';
import type { RequestState } from './request-id.ts';
import { sendReply, setHeaders } from './response.ts';
import { isInEnvironment, type PlainRoute, type Reply, type RouteRequest } from './route.ts';

/** The schema of a path parameter, unless the route declares another. */
export const PATH_PARAM = z.string().min(1).max(255);
const DEFAULT_PARAMS = z.record(z.string(), PATH_PARAM);
export const NO_QUERY = z.strictObject({});

const HTML = 'text/html; charset=utf-8';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern is meant to match control characters
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Builds a handler for each route: it authenticates the caller, checks the input, runs the route's own handler and sends the
 * response.
 */
export function createRouter<S>(services: S, routes: readonly PlainRoute<S>[], deps: HttpDeps): Router<RequestState> {
  // Of two matching paths, the one with fewer parameters wins: /connections/metadata, not /connections/:connection_id.
  const router = new Router<RequestState>({ sensitive: true, strict: true, exclusive: 'specificity' });
  for (const one of routes) {
    const respond = async (ctx: RouterContext<RequestState>) => {
      ctx.state.route = one.path;
      ctx.state.errorPage = one.errorPage;
      if (one.hasEffects && ctx.method === 'HEAD') return sendReply(ctx.res, { status: 200, type: HTML, body: '' });
      if (one.hasEffects && isPrefetch(ctx.req.headers))
        return sendReply(ctx.res, { status: 204, headers: { 'cache-control': 'no-store' } });
      const moved = one.isPage ? withoutSlash(ctx.req.url ?? '') : undefined;
      if (moved !== undefined) return sendReply(ctx.res, moved);
      if (isForPages(one)) ctx.set(OPEN_TO_PAGES);
      const onLimit = (headers: readonly string[]) => setHeaders(ctx.res, headers);
      const { env, ...params } = isInEnvironment(one.path) ? ctx.params : { ...ctx.params, env: undefined };
      const caller = await authenticateRequest(deps, { access: one.access, request: ctx.req, environmentName: env, onLimit });
      const forPage = admitPage(caller, ctx.req.headers);
      if (isForPages(one) && forPage !== undefined) ctx.set(forPage);
      const address = deps.clientAddress(ctx.req);
      using room = deps.bodies.open({ address, isVerified: caller.kind !== 'anyone' });
      const limits = { maxBytes: maxBodyBytes(services, one), deadlineMs: deps.bodyDeadlineMs, room };
      const { requestId } = ctx.state;
      const request = await readRequest({ spec: one, caller, limits, params, requestId, address }, ctx);
      const refusals = { request: ctx.req, statuses: one.isRaw ? GUESSABLE : UNAUTHORIZED };
      const work = () => actAs(actorOf(caller), () => serve(services, { deps, spec: one, request, path: ctx.path }), requestId);
      sendReply(ctx.res, logged(deps, await countRefusals(deps, refusals, work)));
    };
    router.register(pathsOf(one), [one.method], (ctx) =>
      respond(ctx).catch((cause: unknown) => {
        one.onRefusal?.(services, cause, { params: ctx.params, target: ctx.req.url ?? '' });
        throw cause;
      }),
    );
  }
  return router;
}

/**
 * Logs an error that is thrown while a response is streamed: the error cuts the response short, and nothing else would report it.
 */
function logged({ log }: HttpDeps, reply: Reply): Reply {
  const { stream } = reply;
  if (stream === undefined) return reply;
  return {
    ...reply,
    async *stream(ended) {
      try {
        yield* stream(ended);
      } catch (error) {
        log.error('a response was interrupted while it was streamed', { error });
        throw error;
      }
    },
  };
}

interface Served<S> {
  readonly deps: HttpDeps;
  readonly spec: PlainRoute<S>;
  readonly request: RouteRequest<unknown, unknown, unknown>;
  readonly path: string;
}

function serve<S>(services: S, { deps, spec, request, path }: Served<S>): Promise<Reply> {
  const { caller, query, body, headers } = request;
  if (spec.writes === undefined) return spec.handle(services, request);
  const { writes, method } = spec;
  const call = { writes, method, path, query, body, repetition: repetitionOf(caller, headers) };
  return deps.repeatable.serve(services, call, (inside, record) => spec.handle(inside, { ...request, record }));
}

/** Responds to preflight requests of browsers (CORS). Other clients send none. */
export function respondToPreflights<S>(router: Router<RequestState>, routes: readonly PlainRoute<S>[]): Middleware<RequestState> {
  return ({ req, res, path, method, state }, next) => {
    const requested = req.headers['access-control-request-method'];
    if (method !== 'OPTIONS' || req.headers.origin === undefined || requested === undefined) return next();
    const paths = new Set(router.match(path, requested).pathAndMethod.map((layer) => String(layer.path)));
    const open = routes.filter((one) => paths.has(one.path) && isForPages(one)).map((one) => one.method as string);
    if (!open.includes(requested)) return next();
    state.route = [...paths].join(' ');
    sendReply(res, preflightReply(open));
  };
}

/** Refuses paths and methods for which there is no route. */
export function refuseUnmatched<S>(router: Router<RequestState>, routes: readonly PlainRoute<S>[]): Middleware<RequestState> {
  return ({ path, method, state }) => {
    state.errorPage = errorPageNear(routes, path);
    const layers = router.match(path, method).path;
    const methods = [...new Set(layers.flatMap((layer) => layer.methods))].sort().join(', ');
    if (methods === '') throw new ServiceError('not_found', 'there is no such endpoint');
    throw new ServiceError('method_not_allowed', `this endpoint supports ${methods}`, { allow: methods });
  };
}

/** Returns the maximum size of the route's body. */
export function maxBodyBytes<S>(services: S, { maxBodyBytes: limit = MAX_BODY_BYTES }: PlainRoute<S>): number {
  return typeof limit === 'function' ? limit(services) : limit;
}

interface Parts<S> {
  readonly limits: BodyLimits;
  readonly spec: PlainRoute<S>;
  readonly caller: Caller;
  readonly params: Record<string, string>;
  readonly requestId: string;
  readonly address: string;
}

async function readRequest<S>(
  { limits, spec, caller, params, requestId, address }: Parts<S>,
  ctx: RouterContext<RequestState>,
): Promise<RouteRequest<unknown, unknown, unknown>> {
  const { req, path } = ctx;
  checkEncoding(path, params);
  const checked = checkInput(spec.params ?? DEFAULT_PARAMS, params, 'invalid_uri_params');
  const common = { requestId, address, caller, params: checked, headers: req.headers, record: nothingToRecord };
  if (spec.isRaw) return { ...common, query: {}, body: rawRequest(req, limits) };
  return {
    ...common,
    query: readCheckedQuery(spec, req.url ?? ''),
    body: spec.upload === undefined ? await readCheckedBody(spec, req, limits) : await readUpload(ctx, spec.upload, limits),
  };
}

/**
 * Returns the checked query. Pages without a query schema ignore the query, since mail programs and campaigns add parameters to
 * links.
 */
function readCheckedQuery<S>({ isPage, query }: PlainRoute<S>, rawUrl: string): unknown {
  if (isPage && query === undefined) return {};
  return checkInput(query ?? NO_QUERY, readQuery(rawUrl), 'invalid_query_params');
}

async function readCheckedBody<S>(spec: PlainRoute<S>, request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  if (spec.body === undefined) return refuseBody(request);
  return checkInput(spec.body, await readJsonBody(request, limits), 'invalid_body');
}

const nothingToRecord = async () => undefined;

/** Refuses control characters in parameters, and malformed escapes, which the router would leave undecoded without an error. */
function checkEncoding(path: string, params: Record<string, string>): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw inputError('invalid_uri_params', [
      { code: 'invalid_encoding', message: 'a percent sign must begin an encoded UTF-8 character', path: [] },
    ]);
  }
  const wrong = Object.keys(params).filter((name) => CONTROL_CHARACTERS.test(params[name] ?? ''));
  if (wrong.length === 0) return;
  const details = wrong.map((name) => ({
    code: 'invalid_characters',
    message: 'control characters are not allowed',
    path: [name],
  }));
  throw inputError('invalid_uri_params', details);
}
