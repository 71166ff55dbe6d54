import * as z from 'zod';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { CONNECTION_ID, INTEGRATION_KEY, LOG } from '../examples.ts';
import { connectionId, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { tryCall } from './tried-call.ts';

const MAX_PATH = 8_192;
const MAX_BODY = 256 * 1024;

const attempt = defineRoute({
  method: 'POST',
  path: '/api/ui/e/:env/proxy-try',
  operationId: 'tryProxy',
  access: { dashboard: 'environment:proxy' },
  summary: 'Call the external API with a connection’s credentials, and get the response without them',
  tag: 'Proxy',
  body: z.strictObject({
    connection_id: connectionId,
    provider_config_key: uniqueKey,
    method: z.enum(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']),
    path: z.string().min(1).max(MAX_PATH).describe('path below the base URL, with its query'),
    headers: z.record(z.string().min(1).max(256), z.string().max(8_192)).optional(),
    body: z.string().max(MAX_BODY).nullable().optional(),
  }),
  bodyExample: { connection_id: CONNECTION_ID, provider_config_key: INTEGRATION_KEY, method: 'GET', path: '/user' },
  responses: {
    200: {
      description: 'The provider’s response, whatever its status.',
      schema: z.strictObject({
        data: z.strictObject({
          request_id: z.string().describe('by which the operation log finds the call'),
          status: z.int(),
          duration_ms: z.int(),
          headers: z.record(z.string(), z.string()),
          body: z.string().describe('as text, up to 64 KB'),
          truncated: z.boolean(),
        }),
      }),
      example: {
        data: {
          request_id: LOG.request_id,
          status: 200,
          duration_ms: 84,
          headers: { 'content-type': 'application/json' },
          body: '{"login":"ada"}',
          truncated: false,
        },
      },
    },
    404: { description: 'The integration or the connection does not exist.' },
    424: { description: 'The user must reauthorize.' },
    502: { description: 'The provider could not be reached.' },
    504: { description: 'The provider did not respond in time.' },
  },
  async handle(services: ApiServices, { caller, body, requestId }) {
    const environment = environmentInPath(caller);
    return { body: { data: await tryCall(services, { ...body, requestId, environmentId: environment.id }) } };
  },
});

export const proxyTryRoutes = [attempt];
