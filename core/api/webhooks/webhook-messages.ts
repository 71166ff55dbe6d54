import type { Knex } from 'knex';
import * as z from 'zod';
import { jsonObject } from '#contract';
import { withFormerKeys } from '../../connections/integrations/alias-store.ts';
import { toCursor } from '../../db/cursor.ts';
import { environmentOf } from '../../server/access/caller.ts';
import { JSON_TYPE } from '../../server/response.ts';
import { defineRoute } from '../../server/route.ts';
import type { MessageFilter } from '../../webhook-delivery/message-list-store.ts';
import { listedMessage as listedRecord, messagePage, readMessage } from '../../webhook-delivery/message-reading.ts';
import { MAX_REPLAYED, replayMessage, replayMessages } from '../../webhook-delivery/replay.ts';
import { sendTestMessage } from '../../webhook-delivery/test-message.ts';
import { WEBHOOK_ATTEMPT, WEBHOOK_MESSAGE, WEBHOOK_PAYLOAD } from '../examples.ts';
import { eitherCursorOrPage, pageMembers, positionOf } from '../paging.ts';
import { connectionId, dateTime, moment, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const TAG = 'Webhook messages';

export const messageStatus = z.enum(['pending', 'delivered', 'failed', 'paused']);
const type = z.enum(['auth', 'forward', 'test']);

/** The fields that select webhooks, for lists and for replays. */
export const messageFilter = z.strictObject({
  status: messageStatus.optional().meta({ description: '`paused`: its target is paused', example: 'failed' }),
  type: type.optional().meta({ description: '`test`: a test message', example: 'auth' }),
  connection_id: connectionId.optional(),
  integration: uniqueKey.optional().describe('key of an integration; its former keys are included'),
  since: moment.optional().meta({ description: 'created at or after this time', example: '2026-01-15T00:00:00Z' }),
  until: moment.optional().meta({ description: 'created before this time', example: '2026-01-16T00:00:00Z' }),
});

export const messagePath = z.strictObject({
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,255}$/)
    .meta({ description: 'the value of the header `webhook-id`', example: WEBHOOK_MESSAGE.id }),
});

/** A webhook in lists. */
export const listedMessage = z
  .strictObject({
    id: z.string(),
    type: z.string(),
    operation: z.string().nullable(),
    success: z.boolean().nullable().meta({
      description:
        'whether what an `auth` message reports has succeeded; null: other messages, and those of a release before 1.1',
    }),
    connection_id: z.string().nullable(),
    provider_config_key: z.string().nullable(),
    status: messageStatus,
    created_at: dateTime,
    next_attempt_at: dateTime.nullable().meta({
      description:
        'when the next attempt may be made, at the earliest; in the past: it waits for its turn, or no instance sends webhooks; null: none is scheduled, or one is being made',
    }),
  })
  .meta({ id: 'WebhookMessage' });

export const attempt = z
  .strictObject({
    at: dateTime,
    url: z.string().describe('empty: the URL had been removed'),
    status: z.int().nullable().describe('null: no response'),
    duration_ms: z.int(),
    error: z
      .string()
      .nullable()
      .describe('why there was no response; `queue_full`, `expired`: no attempt, but why the message was given up'),
    is_replay: z.boolean(),
  })
  .meta({ id: 'WebhookAttempt' });

const fullMessage = listedMessage
  .extend({ payload: jsonObject, attempts: z.array(attempt) })
  .meta({ id: 'WebhookMessageDetails' });

const testBody = z.strictObject({
  type: z.enum(['auth', 'forward']).meta({ description: 'type of webhook to imitate', example: 'auth' }),
});

const READ = { scope: 'environment:webhooks:read', inDashboard: true } as const;
const REPLAY = { scope: 'environment:webhooks:replay', inDashboard: true } as const;

const list = defineRoute({
  method: 'GET',
  path: '/webhook-messages',
  operationId: 'listWebhookMessages',
  access: READ,
  summary: 'List webhook messages, newest first',
  tag: TAG,
  query: messageFilter.extend(pageMembers).refine(...eitherCursorOrPage),
  responses: {
    200: {
      description: 'One page, without payloads.',
      schema: z.strictObject({ data: z.array(listedMessage), next_cursor: z.string().nullable() }),
      example: { data: [WEBHOOK_MESSAGE], next_cursor: null },
    },
  },
  async handle(services: ApiServices, { caller, query }) {
    const environmentId = environmentOf(caller);
    const wanted = { ...(await filterOf(services.db, environmentId, query)), ...positionOf(query) };
    const { rows, next } = await messagePage(services.db, environmentId, wanted);
    return { body: { data: rows.map(listedRecord), next_cursor: next === null ? null : toCursor(next) } };
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/webhook-messages/:id',
  operationId: 'getWebhookMessage',
  access: READ,
  summary: 'Get a webhook message with its payload and attempts',
  tag: TAG,
  params: messagePath,
  responses: {
    200: {
      description: 'The message with its latest 100 attempts, oldest first; the last entry may say why it was given up.',
      schema: z.strictObject({ data: fullMessage }),
      example: { data: { ...WEBHOOK_MESSAGE, payload: WEBHOOK_PAYLOAD, attempts: [WEBHOOK_ATTEMPT] } },
    },
    404: { description: 'There is no such message, or its retention has ended.' },
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
  summary: 'Resend a webhook message',
  tag: TAG,
  params: messagePath,
  responses: {
    200: {
      description: 'The message has its full retry schedule again, with the same ID. A paused target is resumed.',
      schema: z.strictObject({
        success: z.literal(true),
        is_held: z.boolean().describe('true: the message waits, since its URL was removed; false: it is due now'),
      }),
      example: { success: true, is_held: false },
    },
    404: { description: 'There is no such message, or its retention has ended.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const { isHeld } = await replayMessage(services, environmentOf(caller), params.id);
    return { body: { success: true, is_held: isHeld } };
  },
});

const replayMany = defineRoute({
  method: 'POST',
  path: '/webhook-messages/replay',
  operationId: 'replayWebhookMessages',
  access: REPLAY,
  summary: 'Resend all matching webhook messages',
  tag: TAG,
  // The filter may be sent as query parameters, like that of the list, or as a body.
  query: messageFilter,
  body: messageFilter.meta({ id: 'WebhookMessageFilter' }).optional(),
  bodyExample: { status: 'failed', since: '2026-01-15T00:00:00Z' },
  responses: {
    200: {
      description: `The messages have their full retry schedule again: the oldest matches, at most ${MAX_REPLAYED}.`,
      schema: z.strictObject({
        data: z.strictObject({
          count: z.int(),
          has_more: z.boolean().describe('whether more matched, for a further request'),
          is_held: z.boolean().describe('whether some of them wait, since their URL was removed; the others are due now'),
        }),
      }),
      example: { data: { count: 12, has_more: false, is_held: false } },
    },
  },
  async handle(services: ApiServices, { caller, query, body }) {
    const environmentId = environmentOf(caller);
    const wanted = await filterOf(services.db, environmentId, { ...query, ...body });
    const { count, hasMore, isHeld } = await replayMessages(services, environmentId, wanted);
    return { body: { data: { count, has_more: hasMore, is_held: isHeld } } };
  },
});

const test = defineRoute({
  method: 'POST',
  path: '/webhook-messages/test',
  operationId: 'sendTestWebhookMessage',
  access: REPLAY,
  summary: 'Send a test message to the webhook URL',
  tag: TAG,
  body: testBody,
  bodyExample: { type: 'auth' },
  responses: {
    200: {
      description: 'The message is stored. With two webhook URLs there are two, and the ID is that of the one to the first URL.',
      schema: z.strictObject({
        data: z.strictObject({
          id: z.string(),
          is_held: z.boolean().describe('true: it waits, since a URL is paused or has failed too often; false: it is due now'),
        }),
      }),
      example: { data: { id: WEBHOOK_MESSAGE.id, is_held: false } },
    },
    400: { description: 'The environment has no webhook URL.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    const { id, isHeld } = await sendTestMessage(services, environmentOf(caller), body.type);
    return { body: { data: { id, is_held: isHeld } } };
  },
});

export const webhookMessageRoutes = [list, read, replay, replayMany, test];

/** Returns the conditions for webhooks. Those about an integration include those that were stored under its former keys. */
export async function filterOf(
  db: Knex,
  environmentId: number,
  { connection_id: connectionId, integration, ...filter }: z.output<typeof messageFilter>,
): Promise<MessageFilter> {
  const providerConfigKeys = integration === undefined ? undefined : await withFormerKeys(db, environmentId, [integration]);
  return { ...filter, connectionId, providerConfigKeys };
}
