import * as z from 'zod';
import { ServiceError } from '../errors.ts';
import { isLoopback } from '../kit/loopback.ts';
import { timingSafeEqualText } from '../kit/timing-safe-equal.ts';
import { readBearer } from '../server/access/authenticate.ts';
import type { Metrics } from '../server/metrics.ts';
import { defineRoute, type RouteRequest } from '../server/route.ts';

/**
 * Whether an instance can serve requests, and what prevents or restricts that. A reason is a code such as `database_unreachable`.
 */
export interface Readiness {
  /**
   * `degraded`: the instance serves requests with restrictions. If there is a reason, it says what does not work. If there is
   * none, the database is unreachable, and for a few minutes the instance still serves calls whose key and connection had been
   * used shortly before.
   */
  readonly ready: boolean | 'degraded';
  readonly reasons: readonly string[];
}

export interface HealthServices {
  readonly metrics: Metrics;
  /** The token for reading metrics; if undefined, they can only be read on this machine. */
  readonly metricsToken: string | undefined;
  readonly readiness: () => Promise<Readiness>;
}

/** The reasons for which an instance is degraded but still serves requests. */
export const DEGRADED_CAUSES = ['clock_off', 'storage_full'] as const;

const OK = z.object({ result: z.literal('ok') });
const READY = z.object({
  result: z.enum(['ok', 'degraded']).meta({
    description:
      '`degraded`: see `cause`; without a cause, the database is unreachable, and proxied calls are served from memory',
  }),
  cause: z
    .enum(DEGRADED_CAUSES)
    .optional()
    .meta({
      description:
        '`clock_off`: the clocks of this machine and of the database differ by more than ten minutes, so nothing is deleted because ' +
        'of its age. `storage_full`: the disk of the database is full, so nothing can be stored',
    }),
});

const health = defineRoute({
  method: 'GET',
  path: '/health',
  operationId: 'getHealth',
  access: 'public',
  tag: 'Operation',
  summary: 'Check whether the process is alive',
  responses: { 200: { description: 'The process is alive.', schema: OK, example: { result: 'ok' } } },
  handle: async () => ({ body: { result: 'ok' } }),
});

const ready = defineRoute({
  method: 'GET',
  path: '/ready',
  operationId: 'getReadiness',
  access: 'public',
  tag: 'Operation',
  summary: 'Check whether this instance can serve requests',
  responses: {
    200: { description: 'The instance can serve requests.', schema: READY, example: { result: 'ok' } },
    503: { description: 'The instance cannot serve requests; `errors` has one entry for each reason.' },
  },
  handle: async (services: HealthServices) => {
    const state = await services.readiness();
    if (state.ready === false) throw notReady(state.reasons);
    if (state.ready !== 'degraded') return { body: { result: 'ok' as const } };
    const cause = degradedCause(state);
    return { body: { result: 'degraded' as const, ...(cause !== undefined && { cause }) } };
  },
});

export function degradedCause({ reasons }: Readiness): (typeof DEGRADED_CAUSES)[number] | undefined {
  return DEGRADED_CAUSES.find((one) => reasons.includes(one));
}

const metrics = defineRoute({
  method: 'GET',
  path: '/metrics',
  operationId: 'getMetrics',
  access: 'public',
  tag: 'Operation',
  summary: 'Get the metrics of this process for Prometheus',
  responses: {
    200: { description: 'The metrics in the text format of Prometheus.', type: 'text/plain' },
    401: {
      description: 'The bearer token of `SVC_METRICS_TOKEN` is required; without that setting, only this machine gets an answer.',
    },
  },
  handle: async (services: HealthServices, request) => {
    requireScraper(services, request);
    const { registry, scrape } = services.metrics;
    return { type: registry.contentType, body: await scrape() };
  },
});

/**
 * Checks that the caller may read metrics.
 *
 * @throws ServiceError `missing_auth_header` or `malformed_auth_header` if there is no readable token, `unknown_account` if it is
 *   not `SVC_METRICS_TOKEN`; if that is not set, `missing_auth_header` for callers on other machines
 */
function requireScraper(
  { metricsToken }: HealthServices,
  { address, headers }: Pick<RouteRequest<unknown, unknown, unknown>, 'address' | 'headers'>,
): void {
  if (metricsToken === undefined) {
    const isForwarded = Object.keys(headers).some((name) => name === 'forwarded' || name.startsWith('x-forwarded-'));
    if (isLoopback(address) && !isForwarded) return;
    throw new ServiceError(
      'missing_auth_header',
      'metrics can only be read from this machine; set SVC_METRICS_TOKEN to read them from elsewhere',
    );
  }
  const token = readBearer(headers.authorization);
  if (!timingSafeEqualText(token, metricsToken))
    throw new ServiceError('unknown_account', 'the token does not match SVC_METRICS_TOKEN');
}

function notReady(reasons: readonly string[]): ServiceError {
  const details = reasons.map((code) => ({ code, message: code.replaceAll('_', ' '), path: [] }));
  if (reasons.includes('draining'))
    return new ServiceError('draining', 'this instance is stopping; use another one', { details });
  return new ServiceError('storage_unavailable', 'this instance cannot serve requests: its database is not ready', { details });
}

export const healthRoutes = [health, ready, metrics];
