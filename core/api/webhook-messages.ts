import * as z from 'zod';
import { toCursor } from '../connections/cursor.ts';
import { environmentOf } from '../http/caller.ts';
import { JSON_TYPE } from '../http/response.ts';
import { defineRoute } from '../http/route.ts';
import type { MessageFilter } from '../webhook-delivery/message-list-store.ts';
import { messagePage, readMessage } from '../webhook-delivery/message-reading.ts';
import { listedMessage as listedRecord } from '../webhook-delivery/message-record.ts';
import { MAX_REPLAYED, replayMessage, replayMessages } from '../webhook-delivery/replay.ts';
import { sendTestMessage } from '../webhook-delivery/test-message.ts';
import { WEBHOOK_ATTEMPT, WEBHOOK_MESSAGE, WEBHOOK_PAYLOAD } from './examples.ts';
import { notBothPlaces, pageMembers, positionOf } from './paging.ts';
import { success } from './schemas.ts';
import type { ApiServices } from './services.ts';
import { fullMessage, listedMessage, messageFilter, messagePath, testBody, WEBHOOK_MESSAGES } from './webhook-message-schemas.ts';

const READ = { scope: 'environment:webhooks:read' } as const;
const REPLAY = { scope: 'environment:webhooks:replay' } as const;

const list = defineRoute({
  method: 'GET',
  path: '/webhook-messages',
  operationId: 'listWebhookMessages',
  access: READ,
  summary: 'List webhook messages, newest first',
  tag: WEBHOOK_MESSAGES,
  query: messageFilter.extend(pageMembers).refine(...notBothPlaces),
  responses: {
    200: {
      description: 'One page, without payloads.',
      schema: z.strictObject({ data: z.array(listedMessage), next_cursor: z.string().nullable() }),
      example: { data: [WEBHOOK_MESSAGE], next_cursor: null },
    },
  },
  async handle(services: ApiServices, { caller, query }) {
    const wanted = { ...filterOf(query), ...positionOf(query) };
    const { rows, next } = await messagePage(services.db, environmentOf(caller), wanted);
    return { body: { data: rows.map(listedRecord), next_cursor: next === null ? null : toCursor(next) } };
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/webhook-messages/:id',
  operationId: 'getWebhookMessage',
  access: READ,
  summary: 'Read a webhook message with its payload and attempts',
  tag: WEBHOOK_MESSAGES,
  params: messagePath,
  responses: {
    200: {
      description: 'The message; its latest 100 attempts, oldest first.',
      schema: z.strictObject({ data: fullMessage }),
      example: { data: { ...WEBHOOK_MESSAGE, payload: WEBHOOK_PAYLOAD, attempts: [WEBHOOK_ATTEMPT] } },
    },
    404: { description: 'There is no such message, or it is older than the retention.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const message = await readMessage(services, environmentOf(caller), params.id);
    return { type: JSON_TYPE, body: `{"data":${message}}` };
  },
});

const replay = defineRoute({
  method: 'POST',
  path: '/webhook-messages/:id/replay',
  operationId: 'replayWebhookMessage',
  access: REPLAY,
  summary: 'Send a webhook message again',
  tag: WEBHOOK_MESSAGES,
  params: messagePath,
  responses: {
    200: {
      description: 'It is due now, under the same ID and with its whole schedule; a pause of its target is over.',
      schema: success,
      example: { success: true },
    },
    404: { description: 'There is no such message, or it is older than the retention.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    await replayMessage(services, environmentOf(caller), params.id);
    return { body: { success: true } };
  },
});

const replayMany = defineRoute({
  method: 'POST',
  path: '/webhook-messages/replay',
  operationId: 'replayWebhookMessages',
  access: REPLAY,
  summary: 'Send all webhook messages again that match',
  tag: WEBHOOK_MESSAGES,
  // As the list takes them, or as a body.
  query: messageFilter,
  body: messageFilter.optional(),
  bodyExample: { status: 'failed', since: '2026-01-15T00:00:00Z' },
  responses: {
    200: {
      description: `How many are due now: the oldest that match, at most ${MAX_REPLAYED}.`,
      schema: z.strictObject({ data: z.strictObject({ count: z.int() }) }),
      example: { data: { count: 12 } },
    },
  },
  async handle(services: ApiServices, { caller, query, body }) {
    const count = await replayMessages(services, environmentOf(caller), filterOf({ ...query, ...body }));
    return { body: { data: { count } } };
  },
});

const test = defineRoute({
  method: 'POST',
  path: '/webhook-messages/test',
  operationId: 'sendTestWebhookMessage',
  access: REPLAY,
  summary: 'Send a test message to the webhook URL',
  tag: WEBHOOK_MESSAGES,
  body: testBody,
  bodyExample: { type: 'auth' },
  responses: {
    200: {
      description: 'It is due now, like any other message; with two URLs this is the one to the first.',
      schema: z.strictObject({ data: z.strictObject({ id: z.string() }) }),
      example: { data: { id: WEBHOOK_MESSAGE.id } },
    },
    400: { description: 'The environment has no webhook URL.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    return { body: { data: { id: await sendTestMessage(services, environmentOf(caller), body.type) } } };
  },
});

export const webhookMessageRoutes = [list, read, replay, replayMany, test];

function filterOf({ status, type, connection_id, integration, since, until }: z.output<typeof messageFilter>): MessageFilter {
  return { status, type, connectionId: connection_id, providerConfigKey: integration, since, until };
}
