import type { Middleware } from 'koa';
import { newRequestId } from '../kit/random-id.ts';
import { REQUEST_ID_HEADER } from './response.ts';
import type { ErrorPage } from './route.ts';

/** What the middleware of one request share. */
export interface RequestState {
  requestId: string;
  /** The declared path of the route that responded; undefined when none matched. */
  route?: string;
  /** Of that route: how errors are shown in a browser. */
  errorPage?: ErrorPage | undefined;
}

/** Names the request. The caller's own ID is never used: it could forge lines of the log. */
export function requestId(): Middleware<RequestState> {
  return (ctx, next) => {
    // Every response is written by `response.ts`.
    ctx.respond = false;
    ctx.state.requestId = newRequestId();
    ctx.res.setHeader(REQUEST_ID_HEADER, ctx.state.requestId);
    return next();
  };
}
