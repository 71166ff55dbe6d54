import * as z from 'zod';
import { withFormerKeys } from '../../connections/integrations/alias-store.ts';
import { requireIntegration } from '../../connections/integrations/integrations.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { latestReceived, type ReceivedWebhook } from '../../webhook-ingress/received-store.ts';
import { CONNECTION_ID, LOG } from '../examples.ts';
import { byKey } from '../integrations/integration-schemas.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const SHOWN = 20;

const received = z.strictObject({
  log_id: z.uuid().describe('ID of the operation in the log'),
  at: dateTime.describe('when the delivery arrived'),
  events: z.string().nullable().describe('types of the events, separated by commas; null if the provider names none'),
  is_verified: z.boolean().describe('whether the signature was valid'),
  is_forwarded: z
    .boolean()
    .describe('whether webhooks to the application were stored: forwarding was on, and there was a webhook URL'),
  connections: z.int().describe('number of matching connections'),
  connection_id: z.string().nullable().describe('null unless exactly one connection matches'),
  refusal: z
    .strictObject({ code: z.string(), reason: z.string() })
    .nullable()
    .describe('why the delivery was refused, in which case nothing else is known; null: it was accepted'),
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
        data: [
          {
            log_id: LOG.id,
            at: LOG.created_at,
            events: 'issue.created',
            is_verified: true,
            is_forwarded: true,
            connections: 1,
            connection_id: CONNECTION_ID,
            refusal: null,
          },
        ],
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
    return { body: { data: found.map(shown) } };
  },
});

export const receivedWebhookRoutes = [list];

function shown(one: ReceivedWebhook) {
  const { refusal: reason, refusalCode: code } = one;
  return {
    log_id: one.id,
    at: one.receivedAt.toISOString(),
    events: [...new Set(one.events.flatMap(({ type }) => type ?? []))].join(', ') || null,
    is_verified: one.verified,
    is_forwarded: one.forwarded,
    connections: one.connectionCount,
    connection_id: one.connectionId,
    refusal: reason === null || code === null ? null : { code, reason },
  };
}
