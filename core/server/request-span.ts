import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { httpSpan, setStatus } from '../kit/http-span.ts';
import { beginSpan, type TraceContext, within } from '../kit/tracing.ts';
import type { HttpDeps } from './deps.ts';
import type { RequestState } from './request-id.ts';

/** Load balancers and Prometheus request these several times a minute or second; their spans would hide all others. */
const UNTRACED: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);

type SpanDeps = Pick<HttpDeps, 'tracer' | 'baseUrl'>;

interface Traced {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Returns the declared path of the route; called when the request is over. */
  readonly route: () => string | undefined;
}

/** Serves a request in a span that ends with the response. The caller's context, if it sends one, is its parent. */
export function inRequestSpan<T>(deps: SpanDeps, { request, response, route }: Traced, serve: () => T): T {
  const { tracer, baseUrl } = deps;
  if (tracer === undefined || UNTRACED.has(request.url ?? '')) return serve();
  const start = httpSpan({ kind: 'server', method: request.method ?? '', origin: new URL(baseUrl) });
  const span = beginSpan(tracer, { ...start, parent: contextOf(request) });
  response.once('close', () => {
    const path = route();
    if (path !== undefined) {
      span.rename(`${start.name} ${path}`);
      span.set({ 'http.route': path });
    }
    if (response.writableFinished) setStatus(span, response.statusCode, { failsFrom: 500 });
    else span.fail('disconnected');
    span.end();
  });
  return within(span, serve);
}

export function traceRequests(deps: SpanDeps): Middleware<RequestState> {
  return ({ req: request, res: response, state }, next) =>
    inRequestSpan(deps, { request, response, route: () => state.route }, next);
}

function contextOf({ headers: { traceparent, tracestate } }: IncomingMessage): TraceContext | undefined {
  // Values that are not valid, such as of a header that was sent twice, are ignored where they are read.
  if (typeof traceparent !== 'string') return undefined;
  return tracestate === undefined ? traceparent : `${traceparent} ${String(tracestate)}`;
}
