import * as z from 'zod';
import { deleteEntries, entriesOf } from '../../demo-provider/inbox-store.ts';
import { environmentOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { WEBHOOK_PAYLOAD } from '../examples.ts';
import type { ApiServices } from '../services.ts';

const COMMON = { path: '/webhook-inbox', tag: 'Sandbox' } as const;

const entry = z
  .strictObject({
    id: z.int(),
    received_at: z.iso.datetime(),
    headers: z.record(z.string(), z.string()).meta({ description: 'only headers that belong to webhooks' }),
    payload: z.unknown().meta({ description: 'null if it was larger than 64 KiB' }),
    bytes: z.int(),
    signature_valid: z.boolean(),
  })
  .meta({ id: 'InboxEntry' });
const ENTRY = {
  id: 7,
  received_at: '2026-01-15T09:30:00.000Z',
  headers: { 'webhook-id': 'msg_2b9x4Kf8', 'webhook-timestamp': '1768469400' },
  payload: WEBHOOK_PAYLOAD,
  bytes: 412,
  signature_valid: true,
};

const list = defineRoute({
  ...COMMON,
  method: 'GET',
  operationId: 'listWebhookInbox',
  access: { scope: 'environment:webhooks:read', inDashboard: true },
  summary: 'List the latest 50 webhooks that the environment’s inbox received, newest first',
  responses: {
    200: {
      description:
        'The webhooks. The inbox gets those that are sent to its URL (`svc env set --webhook-url inbox`), and keeps them when the URL changes.',
      schema: z.strictObject({ data: z.array(entry) }),
      example: { data: [ENTRY] },
    },
  },
  async handle(services: ApiServices, { caller }) {
    const entries = await entriesOf(services, environmentOf(caller));
    const data = entries.map(({ id, receivedAt, headers, payload, bytes, isSignatureValid }) => {
      return { id, received_at: receivedAt.toISOString(), headers, payload, bytes, signature_valid: isSignatureValid };
    });
    return { body: { data } };
  },
});

const clear = defineRoute({
  ...COMMON,
  method: 'DELETE',
  operationId: 'clearWebhookInbox',
  access: { scope: 'environment:webhooks:replay', inDashboard: true },
  summary: 'Empty the inbox of the environment',
  responses: { 204: { description: 'The inbox is empty.' } },
  async handle(services: ApiServices, { caller }) {
    await deleteEntries(services.db, environmentOf(caller));
    return { status: 204 };
  },
});

export const webhookInboxRoutes = [list, clear];
