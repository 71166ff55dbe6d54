import * as z from 'zod';
import { defineRaw, type Reply } from '../http/route.ts';
import { withLowerCaseNames } from '../kit/header-names.ts';
import { receiveWebhook } from '../webhook-ingress/receive.ts';
import { ENVIRONMENT, INTEGRATION_KEY } from './examples.ts';
import { connectionId } from './schemas.ts';
import type { ApiServices } from './services.ts';

const JSON_TYPE = 'application/json';
/** Statuses without a body (RFC 9110 §15.3.5, §15.4.5). */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

const receive = defineRaw({
  method: 'POST',
  path: '/webhook/:environment_uuid/:unique_key',
  operationId: 'receiveWebhook',
  access: 'public',
  summary: 'Receive a webhook of a provider',
  tag: 'Webhooks',
  // Any string: an impossible name gets the same 404 as an unknown one.
  params: z.strictObject({
    environment_uuid: z.string().meta({ description: 'of the environment', example: ENVIRONMENT.uuid }),
    unique_key: z.string().meta({ description: 'of the integration', example: INTEGRATION_KEY }),
  }),
  query: z.looseObject({
    svcConnectionId: connectionId.optional().describe('the connection, in URLs that were registered for one'),
    svcTag: z
      .string()
      .optional()
      .meta({ description: 'proves that the service created such a URL', example: 'a'.repeat(64) }),
  }),
  bodyExample: { event: 'issue_updated', issue: { id: '10001' } },
  maxBodyBytes: ({ webhookMaxBytes }: ApiServices) => webhookMaxBytes,
  responses: {
    200: {
      description: 'The delivery is stored, now or before. Some providers get a response of their own.',
      schema: z.unknown(),
      example: { status: 'success' },
    },
    401: { description: 'The signature is missing or wrong.' },
  },
  async handle(services: ApiServices, { params, body: request }) {
    const { environment_uuid: environmentUuid, unique_key: uniqueKey } = params;
    const { status, headers = {}, body } = await receiveWebhook(services, { environmentUuid, uniqueKey }, request);
    const { 'content-type': type = JSON_TYPE, ...others } = withLowerCaseNames(Object.entries(headers));
    return { status, headers: others, ...(!BODILESS.has(status) && { body, type }) } satisfies Reply;
  },
});

export const webhookRoutes = [receive];
