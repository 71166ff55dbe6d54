import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { EndedRequest } from './request-log.ts';

/** Upper bounds of the histogram of durations, in seconds. Proxied calls take as long as the providers do. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * The metrics of one process. Other parts of the service register theirs on `registry`; no label may name an account or a
 * connection.
 */
export interface Metrics {
  readonly registry: Registry;
  /** Counts one finished request. */
  count(request: Pick<EndedRequest, 'method' | 'route' | 'status' | 'seconds'>): void;
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
