import * as z from 'zod';
import { fromCursor, toCursor } from '../../db/cursor.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import type { ListedMessageRow } from '../../webhook-delivery/message-list-store.ts';
import { listedMessage as listedRecord, messagePage, openMessage } from '../../webhook-delivery/message-reading.ts';
import { currentNames, NAMES, named } from '../current-names.ts';
import { WEBHOOK_ATTEMPT, WEBHOOK_MESSAGE, WEBHOOK_PAYLOAD } from '../examples.ts';
import type { ApiServices } from '../services.ts';
import { type LatestAttempt, latestAttempts } from './delivery-store.ts';
import { attempt, filterOf, listedMessage, messageFilter, messagePath } from './webhook-messages.ts';

const TAG = 'Webhook messages';
const PAGE = 50;

const delivery = listedMessage.extend({
  ...currentNames,
  attempts: z.int().describe('number of attempts to send it'),
  response_status: z.int().nullable().describe('response status of the latest attempt; null: no response, or no attempt yet'),
  error: z
    .string()
    .nullable()
    .describe('why the latest attempt has no response; `queue_full`, `expired`: it was given up without a further attempt'),
  duration_ms: z.int().nullable().describe('duration of the latest attempt; null: none yet, or given up'),
});
const DELIVERY = { ...WEBHOOK_MESSAGE, ...NAMES, attempts: 1, response_status: 503, error: null, duration_ms: 42 };

const list = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/deliveries',
  operationId: 'listDeliveries',
  access: { dashboard: 'read' },
  summary: 'List webhook messages, newest first, with the names of their connections and the result of the latest attempt',
  tag: TAG,
  query: messageFilter.extend({
    cursor: z.string().min(1).max(255).optional().meta({ description: '`next_cursor` of the previous page' }),
  }),
  responses: {
    200: {
      description: `One page of ${PAGE}, without payloads.`,
      schema: z.strictObject({ data: z.array(delivery), next_cursor: z.string().nullable() }),
      example: { data: [DELIVERY], next_cursor: null },
    },
  },
  async handle(services: ApiServices, { caller, query: { cursor, ...filter } }) {
    const environment = environmentInPath(caller);
    const after = cursor === undefined ? undefined : fromCursor(cursor);
    const wanted = await filterOf(services.db, environment.id, filter);
    const { rows, next } = await messagePage(services.db, environment.id, { ...wanted, after, limit: PAGE });
    const ids = rows.map(({ id }) => id);
    const latest = new Map((await latestAttempts(services.db, environment.id, ids)).map((one) => [one.message_id, one]));
    const data = await named(
      services,
      environment.id,
      rows.map((row) => deliveryRecord(row, latest.get(row.id))),
    );
    return { body: { data, next_cursor: next === null ? null : toCursor(next) } };
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/deliveries/:id',
  operationId: 'getDelivery',
  access: { dashboard: 'read' },
  summary: 'Get a webhook message with its attempts, and its payload as it is sent',
  tag: TAG,
  params: messagePath,
  responses: {
    200: {
      description: 'The message with its latest 100 attempts, oldest first.',
      schema: z.strictObject({
        data: listedMessage.extend({
          ...currentNames,
          attempts: z.array(attempt),
          payload: z.string().describe('JSON text as it is sent: parsed as numbers, large IDs would be rounded'),
        }),
      }),
      example: { data: { ...WEBHOOK_MESSAGE, ...NAMES, attempts: [WEBHOOK_ATTEMPT], payload: JSON.stringify(WEBHOOK_PAYLOAD) } },
    },
    404: { description: 'There is no such environment or message, or its retention has ended.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const environment = environmentInPath(caller);
    const { record, payload } = await openMessage(services, environment.id, params.id);
    const [data] = await named(services, environment.id, [record]);
    return { body: { data: { ...data, payload } } };
  },
});

export const deliveryRoutes = [list, read];

function deliveryRecord(row: ListedMessageRow, latest: LatestAttempt | undefined) {
  return {
    ...listedRecord(row),
    attempts: latest?.attempts ?? 0,
    response_status: latest?.status ?? null,
    error: latest?.error ?? null,
    duration_ms: latest?.duration_ms ?? null,
  };
}
