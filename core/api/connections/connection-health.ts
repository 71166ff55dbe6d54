import * as z from 'zod';
import { CONNECTION_STATES, connectionHealth, HEALTH_CAUSES } from '../../connections/connection-health.ts';
import { defineRoute } from '../../server/route.ts';
import { HEALTH } from '../examples.ts';
import { dateTime, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { addressOf, CONNECTIONS, connectionPath } from './connection-schemas.ts';

const account = z.strictObject({
  id: z.string(),
  name: z.string().optional(),
  email: z.string().optional(),
  picture: z.string().optional(),
});

const record = z
  .strictObject({
    state: z.enum(CONNECTION_STATES),
    cause: z
      .enum(HEALTH_CAUSES)
      .nullable()
      .meta({ description: 'why the connection is not healthy: an error code, or the cause of the state' }),
    since: dateTime.meta({ description: 'when the state began' }),
    next_try: dateTime.nullable().meta({ description: 'degraded credentials are not refreshed before this time' }),
    expires_at: dateTime.nullable().meta({ description: 'when the credentials expire; null: unknown' }),
    provider_account: account.nullable().meta({ description: 'account at the provider; null: unknown' }),
    log_id: z.string().nullable().meta({ description: 'ID of the log entry with the details: `GET /logs/{id}`' }),
  })
  .meta({ id: 'ConnectionHealth' });

const read = defineRoute({
  method: 'GET',
  path: '/connections/:connection_id/health',
  operationId: 'getConnectionHealth',
  access: { scope: 'environment:connections:read', inDashboard: true },
  summary: 'Get the last known health of a connection, without a call to the provider',
  tag: CONNECTIONS,
  params: connectionPath,
  query: z.strictObject({ provider_config_key: uniqueKey }),
  responses: {
    200: {
      description: 'The last known state, and since when.',
      schema: z.strictObject({ data: record }),
      example: { data: HEALTH },
    },
    404: { description: 'The integration or the connection does not exist.' },
  },
  async handle(services: ApiServices, { caller, params, query }) {
    return { body: { data: await connectionHealth(services, addressOf(caller, { ...params, ...query })) } };
  },
});

export const connectionHealthRoutes = [read];
