import * as z from 'zod';
import { withFormerKeys } from '../../connections/integrations/alias-store.ts';
import { requireIntegration } from '../../connections/integrations/integrations.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { latestReceived, MAX_REFUSED, type ReceivedWebhook } from '../../webhook-ingress/received-store.ts';
import { currentNames, NAMES, named } from '../current-names.ts';
import { CONNECTION_ID, INTEGRATION_KEY, LOG } from '../examples.ts';
import { byKey } from '../integrations/integration-schemas.ts';
import { dateTime, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const SHOWN = 20;
const SHOWN_OF_ENVIRONMENT = 100;

const received = z.strictObject({
  log_id: z.uuid().describe('ID of the operation in the log'),
  at: dateTime.describe('when the delivery arrived'),
  events: z.string().nullable().describe('types of the events, separated by commas; null if the provider names none'),
  is_verified: z.boolean().describe('whether the signature was valid'),
  is_forwarded: z
    .boolean()
    .describe('whether webhooks to the application were stored: forwarding was on, and there was a webhook URL'),
  connections: z.int().describe('number of matching connections'),
  provider_config_key: z.string().nullable().describe('key of the integration at that time'),
  connection_id: z.string().nullable().describe('null unless exactly one connection matches'),
  ...currentNames,
  refusal: z
    .strictObject({ code: z.string(), reason: z.string() })
    .nullable()
    .describe('why the delivery was refused, in which case nothing else is known; null: it was accepted'),
});

const RECEIVED = {
  log_id: LOG.id,
  at: LOG.created_at,
  events: 'issue.created',
  is_verified: true,
  is_forwarded: true,
  connections: 1,
  provider_config_key: INTEGRATION_KEY,
  connection_id: CONNECTION_ID,
  ...NAMES,
  refusal: null,
};

const listAll = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/received-webhooks',
  operationId: 'listReceived',
  access: { dashboard: 'read' },
  summary: `List the latest ${SHOWN_OF_ENVIRONMENT} deliveries from providers, newest first`,
  tag: 'Webhook messages',
  query: z.strictObject({
    outcome: z.enum(['accepted', 'refused']).optional().meta({ description: 'default: both', example: 'refused' }),
    integration: uniqueKey.optional(),
  }),
  responses: {
    200: {
      description:
        `The deliveries that the operation log has; without \`outcome\`, at most ${MAX_REFUSED} of them were refused. ` +
        'There is no next page.',
      schema: z.strictObject({
        data: z.array(received),
        next_cursor: z.null(),
      }),
      example: { data: [RECEIVED], next_cursor: null },
    },
  },
  async handle(services: ApiServices, { caller, query: { outcome, integration } }) {
    const { id: environmentId } = environmentInPath(caller);
    await services.activity.flush();
    const uniqueKeys = integration === undefined ? undefined : await withFormerKeys(services.db, environmentId, [integration]);
    const found = await latestReceived(services.db, { environmentId, uniqueKeys, outcome }, SHOWN_OF_ENVIRONMENT);
    return { body: { data: await named(services, environmentId, found.map(shown)), next_cursor: null } };
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/integrations/:uniqueKey/received-webhooks',
  operationId: 'listReceivedWebhooks',
  access: { dashboard: 'read' },
  summary: 'List the latest 20 deliveries from the provider, newest first, with their connections or the reason for a refusal',
  tag: 'Integrations',
  params: byKey,
  responses: {
    200: {
      description: 'The deliveries that the operation log has; at most ten of them were refused.',
      schema: z.strictObject({ data: z.array(received) }),
      example: {
        data: [RECEIVED],
      },
    },
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const environment = environmentInPath(caller);
    const integration = await requireIntegration(services, environment.id, params.uniqueKey);
    await services.activity.flush();
    const uniqueKeys = await withFormerKeys(services.db, integration.environmentId, [integration.uniqueKey]);
    const found = await latestReceived(services.db, { environmentId: environment.id, uniqueKeys }, SHOWN);
    return { body: { data: await named(services, environment.id, found.map(shown)) } };
  },
});

export const receivedWebhookRoutes = [listAll, list];

function shown(one: ReceivedWebhook) {
  const { refusal: reason, refusalCode: code } = one;
  return {
    log_id: one.id,
    at: one.receivedAt.toISOString(),
    events: [...new Set(one.events.flatMap(({ type }) => type ?? []))].join(', ') || null,
    is_verified: one.verified,
    is_forwarded: one.forwarded,
    connections: one.connectionCount,
    provider_config_key: one.uniqueKey,
    connection_id: one.connectionId,
    refusal: reason === null || code === null ? null : { code, reason },
  };
}
