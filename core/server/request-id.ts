import type { Middleware } from 'koa';
import { newRequestId } from '../kit/random-id.ts';
import { REQUEST_ID_HEADER } from './response.ts';
import type { ErrorPage } from './route.ts';

/** The state that the middleware of one request share. */
export interface RequestState {
  requestId: string;
  /** The declared path of the route that responded; undefined when none matched. */
  route?: string;
  /** The error page of that route for browsers; undefined when it has none. */
  errorPage?: ErrorPage | undefined;
}

/** Assigns an ID to the request. An ID from the caller is never used: it could forge lines of the log. */
export function requestId(): Middleware<RequestState> {
  return (ctx, next) => {
    // Every response is written by `response.ts`, not by Koa.
    ctx.respond = false;
    ctx.state.requestId = newRequestId();
    ctx.res.setHeader(REQUEST_ID_HEADER, ctx.state.requestId);
    return next();
  };
}
