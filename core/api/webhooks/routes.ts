import * as z from 'zod';
import type { WebhookReply } from '#contract';
import { withLowerCaseNames } from '../../kit/header-names.ts';
import { defineRaw, type RawRequest, type Reply, type RouteRequest } from '../../server/route.ts';
import { checkAddress } from '../../webhook-ingress/check-address.ts';
import { receiveWebhook } from '../../webhook-ingress/receive.ts';
import type { ReceiverAddress } from '../../webhook-ingress/receivers.ts';
import { ENVIRONMENT, INTEGRATION_KEY } from '../examples.ts';
import { connectionId } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const JSON_TYPE = 'application/json';
/** Statuses of responses that have no body (RFC 9110 §15.3.5, §15.4.5). */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

const ADDRESS = {
  path: '/webhook/:environment_uuid/:unique_key',
  access: 'public',
  tag: 'Webhooks',
  // Both parameters accept any string, so that a UUID or key that cannot exist gets the same 404 as an unknown one.
  params: z.strictObject({
    environment_uuid: z.string().meta({ description: 'UUID of the environment', example: ENVIRONMENT.uuid }),
    unique_key: z.string().meta({ description: 'key of the integration', example: INTEGRATION_KEY }),
  }),
  query: z.looseObject({
    svcConnectionId: connectionId.optional().describe('connection for which the URL was registered, if any'),
    svcTag: z
      .string()
      .optional()
      .meta({ description: 'proof that the service created such a URL', example: 'a'.repeat(64) }),
  }),
} as const;

const receive = defineRaw({
  ...ADDRESS,
  method: 'POST',
  operationId: 'receiveWebhook',
  summary: 'Receive a delivery (webhook) from a provider',
  bodyExample: { event: 'issue_updated', issue: { id: '10001' } },
  maxBodyBytes: ({ webhookMaxBytes }: ApiServices) => webhookMaxBytes,
  responses: {
    200: {
      description: 'The delivery is stored, or was stored before. Some providers get a response of their own.',
      schema: z.unknown(),
      example: { status: 'success' },
    },
    401: { description: 'The signature is missing or wrong.' },
  },
  handle: (services: ApiServices, { params, body }) => answered(receiveWebhook(services, addressOf(params), body)),
});

const CHECK = {
  ...ADDRESS,
  handle: (services: ApiServices, { params, body }: Pick<CheckedRequest, 'params' | 'body'>) =>
    answered(checkAddress(services, addressOf(params), body)),
};

const check = defineRaw({
  ...CHECK,
  method: 'GET',
  operationId: 'checkWebhookAddress',
  summary: 'Answer providers that check a URL before they deliver to it',
  responses: {
    200: {
      description: 'The integration exists. Some providers get their challenge back.',
      schema: z.unknown(),
      example: { status: 'success' },
    },
  },
});

const permit = defineRaw({
  ...CHECK,
  method: 'OPTIONS',
  operationId: 'permitWebhooks',
  summary: 'Answer senders of CloudEvents, which ask for permission first',
  responses: {
    200: {
      description: 'The origin of the request may send events at any rate.',
      headers: { 'WebHook-Allowed-Origin': 'the origin of the request', 'WebHook-Allowed-Rate': 'always `*`' },
    },
    204: { description: 'The request has no `WebHook-Request-Origin`.' },
  },
});

export const webhookRoutes = [receive, check, permit];

type CheckedRequest = RouteRequest<Address, unknown, RawRequest>;
type Address = z.output<(typeof ADDRESS)['params']>;

function addressOf({ environment_uuid: environmentUuid, unique_key: uniqueKey }: Address): ReceiverAddress {
  return { environmentUuid, uniqueKey };
}

async function answered(reply: Promise<WebhookReply>): Promise<Reply> {
  const { status, headers = {}, body } = await reply;
  const { 'content-type': type = JSON_TYPE, ...others } = withLowerCaseNames(Object.entries(headers));
  return { status, headers: others, ...(!BODILESS.has(status) && { body, type }) };
}
