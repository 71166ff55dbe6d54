import type { Middleware } from 'koa';
import { ServiceError } from '../errors.ts';
import { awaitSmallBody } from '../kit/early-answer.ts';
import type { Logger } from '../kit/logger.ts';
import { sendError } from './answer.ts';
import { wantsPage } from './pages.ts';
import type { RequestState } from './request-id.ts';

export interface ErrorDeps {
  readonly log: Logger;
  /** Knows the faults of the database by their classes; undefined for anything else. */
  readonly describeFault: (error: unknown) => ServiceError | undefined;
}

/** Turns what is thrown into an error answer, or into a reset where an answer has begun: cut short must never look complete. */
export function errorBoundary(deps: ErrorDeps): Middleware<RequestState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const told = tellError(deps, error, ctx.state.requestId);
      await awaitSmallBody(ctx.req);
      if (ctx.res.headersSent) ctx.res.destroy();
      else sendError(ctx.res, told, wantsPage(ctx.req) ? ctx.state.errorPage?.(told, ctx.state.requestId) : undefined);
    }
  };
}

/** What the caller is told. A bug is logged with the request's ID and told as nothing but `server_error`. */
export function tellError({ log, describeFault }: ErrorDeps, error: unknown, requestId: string): ServiceError {
  const told = error instanceof ServiceError ? error : describeFault(error);
  if (told === undefined) {
    log.error('a request failed', { requestId, error });
    return new ServiceError('server_error', `the service failed on this request; its log says more under ${requestId}`);
  }
  // A provider that is down is not news for every request; our own faults are.
  const isOurs = told.status === 500 || told !== error;
  if (told.status >= 500)
    log[isOurs ? 'warn' : 'debug']('a request could not be served', { requestId, errorCode: told.code, error });
  return told;
}
