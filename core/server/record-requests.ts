import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import type { Metrics } from './metrics.ts';
import type { RequestState } from './request-id.ts';
import type { RequestLog } from './request-log.ts';

/** Other methods are counted as one: labels that callers choose would grow without bound. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Recorded when the caller disconnected before the response was sent. Nginx uses this number; it is never sent. */
const CLIENT_CLOSED_REQUEST = 499;
const EVENT_STREAM = 'text/event-stream';

/** Where requests that have ended are counted and logged. */
interface RequestRecords {
  readonly metrics: Pick<Metrics, 'count'>;
  readonly requestLog: Pick<RequestLog, 'ended'>;
}

/** Counts and logs every request once it is over, however it ended. */
export function recordRequests(records: RequestRecords): Middleware<RequestState> {
  return ({ req, res, state }, next) => {
    recordWhenOver(records, { request: req, response: res, requestId: state.requestId, route: () => state.route });
    return next();
  };
}

interface Recorded {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Returns the declared path of the route; called when the request is over. */
  readonly route: () => string | undefined;
}

export function recordWhenOver(
  { metrics, requestLog }: RequestRecords,
  { request, response, requestId, route: routeOf }: Recorded,
): void {
  const start = performance.now();
  response.once('close', () => {
    const method = request.method !== undefined && METHODS.has(request.method) ? request.method : 'OTHER';
    const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST;
    const ended = { method, route: routeOf() ?? 'none', status, seconds: (performance.now() - start) / 1_000 };
    metrics.count(ended);
    requestLog.ended({ ...ended, requestId, isLasting: response.getHeader('content-type') === EVENT_STREAM });
  });
}
