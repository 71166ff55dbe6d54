import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { RequestState } from './request-id.ts';

/** Upper bounds of the histogram of durations, in seconds. Proxied calls take as long as the providers do. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Other methods are counted as one: labels that callers choose would grow without bound. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** Recorded when the caller disconnected before the response was sent. Nginx uses this number; it is never sent. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * The metrics of one process. Other parts of the service register theirs on `registry`; no label may name an account or a
 * connection.
 */
export interface Metrics {
  readonly registry: Registry;
  /** Counts one finished request. */
  count(request: { method: string; route: string; status: number; seconds: number }): void;
  /** Returns all metrics in the text format of Prometheus. Those of the process itself are observed from the first call on. */
  scrape(): Promise<string>;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const requests = new Counter({
    name: 'svc_http_requests_total',
    help: 'Requests served, by declared path.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'svc_http_request_duration_seconds',
    help: 'From the head of the request to the end of the response.',
    labelNames: ['method', 'route'],
    buckets: BUCKETS,
    registers: [registry],
  });
  let isObserved = false;
  return {
    registry,
    count({ method, route, status, seconds }) {
      requests.inc({ method, route, status });
      durations.observe({ method, route }, seconds);
    },
    scrape() {
      // Memory, processor, garbage collection and event loop lag. They are not collected before the first scrape, since measuring
      // the lag wakes the process a hundred times a second.
      if (!isObserved) collectDefaultMetrics({ register: registry });
      isObserved = true;
      return registry.metrics();
    },
  };
}

/** Counts every request once it is over, however it ended. */
export function measure(metrics: Metrics): Middleware<RequestState> {
  return ({ req, res, state }, next) => {
    countWhenOver(metrics, { request: req, response: res, route: () => state.route });
    return next();
  };
}

interface Measured {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Returns the declared path of the route; called when the request is over. */
  readonly route: () => string | undefined;
}

export function countWhenOver(metrics: Metrics, { request, response, route }: Measured): void {
  const start = performance.now();
  response.once('close', () => {
    const method = request.method !== undefined && METHODS.has(request.method) ? request.method : 'OTHER';
    const status = response.writableFinished ? response.statusCode : CLIENT_CLOSED_REQUEST;
    metrics.count({ method, route: route() ?? 'none', status, seconds: (performance.now() - start) / 1_000 });
  });
}
