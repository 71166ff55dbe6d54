import * as z from 'zod';
import { CONNECTION_STATES, connectionHealth, HEALTH_CAUSES } from '../connections/connection-health.ts';
import { defineRoute } from '../http/route.ts';
import { addressOf, CONNECTIONS, connectionPath } from './connection-schemas.ts';
import { HEALTH } from './examples.ts';
import { dateTime, uniqueKey } from './schemas.ts';
import type { ApiServices } from './services.ts';

const account = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  picture: z.string().optional(),
});

const record = z.strictObject({
  state: z.enum(CONNECTION_STATES),
  cause: z.enum(HEALTH_CAUSES).nullable().meta({ description: 'why it is not healthy: an error code, or what led to the state' }),
  since: dateTime.meta({ description: 'when the state began' }),
  next_try: dateTime.nullable().meta({ description: 'not before this time are degraded credentials refreshed again' }),
  expires_at: dateTime.nullable().meta({ description: 'of the credentials; null: the provider stated no end' }),
  provider_account: account.nullable().meta({ description: 'whose account it is, where the provider tells' }),
  log_id: z.string().nullable().meta({ description: 'of the log entry that says what happened: `GET /logs/{id}`' }),
});

const read = defineRoute({
  method: 'GET',
  path: '/connections/:connection_id/health',
  operationId: 'getConnectionHealth',
  access: { scope: 'environment:connections:read' },
  summary: 'Whether a connection works, and since when; asks nobody and refreshes nothing',
  tag: CONNECTIONS,
  params: connectionPath,
  query: z.strictObject({ provider_config_key: uniqueKey }),
  responses: {
    200: { description: 'As it is known now.', schema: z.strictObject({ data: record }), example: { data: HEALTH } },
    404: { description: 'The integration or the connection does not exist.' },
  },
  async handle(services: ApiServices, { caller, params, query }) {
    return { body: { data: await connectionHealth(services, addressOf(caller, { ...params, ...query })) } };
  },
});

export const connectionHealthRoutes = [read];
