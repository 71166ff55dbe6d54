import * as z from 'zod';
import { jsonObject } from '#contract';
import { operationById } from '../activity/activity-store.ts';
import { ServiceError } from '../errors.ts';
import { environmentOf } from '../http/caller.ts';
import { defineRoute } from '../http/route.ts';
import { LOG } from './examples.ts';
import { dateTime } from './schemas.ts';
import type { ApiServices } from './services.ts';

const operation = z.strictObject({
  id: z.uuid(),
  type: z.string(),
  operation: z.string(),
  status: z.string(),
  created_at: dateTime,
  ended_at: dateTime.nullable(),
  connection_id: z.string().nullable(),
  provider_config_key: z.string().nullable(),
  messages: z.array(z.strictObject({ at: dateTime, level: z.string(), message: z.string(), facts: jsonObject })),
});

const read = defineRoute({
  method: 'GET',
  path: '/logs/:id',
  operationId: 'getLog',
  access: { scope: 'environment:logs:read' },
  summary: 'Read an entry of the operation log',
  tag: 'Logs',
  params: z.strictObject({ id: z.uuid().meta({ description: '`log_id` of an error of a connection', example: LOG.id }) }),
  responses: {
    200: { description: 'The operation and its messages.', schema: z.strictObject({ data: operation }), example: { data: LOG } },
    404: { description: 'There is no such operation, or its retention has ended.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    await services.activity.flush();
    const row = await operationById(services.db, environmentOf(caller), params.id);
    if (row === undefined) throw new ServiceError('not_found', 'there is no such log entry');
    const { environment_id: _, ...shown } = row;
    return { body: { data: shown } };
  },
});

export const logRoutes = [read];
