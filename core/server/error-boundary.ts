import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { awaitSmallBody } from '../kit/early-response.ts';
import type { HttpDeps } from './deps.ts';
import { wantsPage } from './pages/pages.ts';
import type { RequestState } from './request-id.ts';
import { sendError } from './response.ts';
import type { BrowserVisit } from './route.ts';

/**
 * Turns a thrown error into an error response, or resets the network connection if a response has begun: a truncated response
 * must never look complete.
 */
export function errorBoundary(deps: HttpDeps): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (cause) {
      const error = publicError(deps, cause, ctx.state.requestId);
      await awaitSmallBody(ctx.req);
      if (ctx.res.headersSent) ctx.res.destroy();
      else sendError(ctx.res, error, wantsPage(ctx.req) ? ctx.state.errorPage?.(error, visitOf(ctx)) : undefined);
    }
  };
}

function visitOf({ req, state }: { readonly req: IncomingMessage; readonly state: RequestState }): BrowserVisit {
  return { requestId: state.requestId, acceptLanguage: req.headers['accept-language'] };
}

/** Returns the error that the caller gets. A bug is logged with the request's ID and becomes a bare `server_error`. */
export function publicError({ log, describeFault }: HttpDeps, cause: unknown, requestId: string): ServiceError {
  const error = cause instanceof ServiceError ? cause : describeFault(cause);
  if (error === undefined) {
    log.error('a request failed', { requestId, error: cause });
    return new ServiceError('server_error', `the service failed on this request; find the cause in its log by ${requestId}`);
  }
  // A provider that is down is not worth a warning for every request; faults of the service are.
  const isOurs = error.status === 500 || error !== cause;
  if (error.status >= 500)
    log[isOurs ? 'warn' : 'debug']('a request could not be served', { requestId, errorCode: error.code, error: cause });
  return error;
}
