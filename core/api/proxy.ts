import * as z from 'zod';
import { grants } from '../environments/scopes.ts';
import { defineStream, type StreamExchange } from '../http/route.ts';
import { type ProxyCaller, type ProxyDeps, proxyCall } from '../proxy/proxy.ts';
import type { Upgrades } from '../proxy/upgrade.ts';
import { connectionId, uniqueKey } from './schemas.ts';

export interface ProxyServices extends ProxyDeps {
  readonly upgrades: Upgrades;
}

/** What `core/proxy/options.ts` reads. */
const headers = z.object({
  'Provider-Config-Key': uniqueKey,
  'Connection-Id': connectionId,
  Retries: z.int().min(0).max(10).default(0).meta({ description: 'further tries after a failed one', example: 3 }),
  'Retry-On': z.string().optional().meta({ description: 'statuses to try again beside 429 and 5xx', example: '404,409' }),
  'Base-Url-Override': z
    .string()
    .optional()
    .meta({ description: 'another base URL of the provider; needs its own scope', example: 'https://uploads.example.com' }),
  Decompress: z.boolean().default(false).meta({ description: 'unpack the answer on the way', example: true }),
  'Svc-Timeout': z.int().min(1).max(3600).default(60).meta({ description: 'seconds to the first byte', example: 120 }),
});

export const proxy = defineStream<ProxyServices>({
  path: '/proxy',
  operationId: 'proxy',
  headers,
  access: { scope: 'environment:proxy' },
  summary: "Calls the external API with a connection's credentials",
  tag: 'Proxy',
  responses: {
    200: {
      description: 'Status, headers and body as the provider sent them. Answers of the service itself carry `Svc-Error`.',
      type: '*/*',
    },
  },
  handle: (services, exchange) => {
    const { request, response } = exchange;
    return proxyCall(services, { ...callerOf(exchange), request, response });
  },
  upgrade: (services, exchange) => {
    const { request, socket, head } = exchange;
    return services.upgrades.handle({ ...callerOf(exchange), request, socket, head });
  },
});

type Arrived = Pick<StreamExchange, 'caller' | 'requestId' | 'limitHeaders'>;

function callerOf({ caller, requestId, limitHeaders }: Arrived): ProxyCaller {
  if (caller.kind !== 'environment') throw new TypeError('the proxy is for environment keys');
  const mayOverride = grants(caller.scopes, 'environment:proxy:override');
  return { requestId, environmentId: caller.environmentId, mayOverride, limitHeaders };
}
