import * as z from 'zod';
import { isHttps } from '../../kit/hsts.ts';
import { readProxyRequest, relay } from '../../proxy/http-relay.ts';
import type { ProxyCaller } from '../../proxy/message.ts';
import type { ProviderProxy } from '../../proxy/proxy.ts';
import { defineStream, type StreamExchange } from '../../server/route.ts';
import { grants } from '../../tenants/api-keys/scopes.ts';
import { connectionId, uniqueKey } from '../schemas.ts';

/** The headers that `core/proxy/options.ts` reads. */
const headers = z.object({
  'Provider-Config-Key': uniqueKey,
  'Connection-Id': connectionId,
  Retries: z.int().min(0).max(10).default(0).meta({ description: 'number of further attempts after a failed one', example: 3 }),
  'Retry-On': z.string().optional().meta({ description: 'statuses to retry in addition to 429 and 5xx', example: '404,409' }),
  'Base-Url-Override': z.string().optional().meta({
    description: 'another base URL of the provider; requires an additional scope',
    example: 'https://uploads.example.com',
  }),
  Decompress: z.boolean().default(false).meta({ description: 'decompress the response', example: true }),
  'Svc-Timeout': z.int().min(1).max(3600).default(60).meta({ description: 'seconds to wait for the first byte', example: 120 }),
});

export const proxy = defineStream<{ readonly proxy: ProviderProxy; readonly baseUrl: string }>({
  path: '/proxy',
  operationId: 'proxy',
  headers,
  access: { scope: 'environment:proxy' },
  summary: 'Call the external API with a connection’s credentials',
  tag: 'Proxy',
  responses: {
    200: {
      description: 'Status, headers and body as the provider sent them. Responses of the service itself carry `Svc-Error`.',
      type: '*/*',
    },
  },
  handle: async ({ proxy, baseUrl }, exchange) => {
    const { request, response } = exchange;
    const call = { ...readProxyRequest(request, response, callerOf(exchange, baseUrl)), room: exchange.room };
    const proxied = await proxy.call(call);
    if (proxied !== undefined) relay(proxied, response, call.options.idleMs);
  },
  upgrade: ({ proxy, baseUrl }, exchange) => {
    const { request, socket, head } = exchange;
    return proxy.upgrade({ ...callerOf(exchange, baseUrl), request, socket, head });
  },
});

type Authenticated = Pick<StreamExchange, 'caller' | 'requestId' | 'limitHeaders'>;

function callerOf({ caller, requestId, limitHeaders }: Authenticated, baseUrl: string): ProxyCaller {
  if (caller.kind !== 'environment') throw new TypeError('only an environment key may call the proxy');
  const mayOverride = grants(caller.scopes, 'environment:proxy:override');
  return { requestId, environmentId: caller.environmentId, mayOverride, limitHeaders, isHttps: isHttps(baseUrl) };
}
