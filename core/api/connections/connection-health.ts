import * as z from 'zod';
import { CONNECTION_STATES, connectionHealth, HEALTH_CAUSES } from '../../connections/connection-health.ts';
import { latestFailedRefresh } from '../../journal/operation-log/failure-store.ts';
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
    next_try: dateTime
      .nullable()
      .meta({ description: 'when degraded credentials are refreshed next; in the past: as soon as a worker can' }),
    is_refreshing: z.boolean().meta({ description: 'whether a refresh is under way' }),
    failed_tries: z.int().meta({ description: 'refreshes of degraded credentials that have failed in a row' }),
    expires_at: dateTime.nullable().meta({ description: 'when the credentials expire or have expired; null: unknown' }),
    last_refresh_at: dateTime
      .nullable()
      .meta({ description: 'when the credentials were last refreshed; null: never, or by a release before 1.1' }),
    call_status: z
      .literal([424, 503])
      .nullable()
      .meta({ description: 'the status that calls get from this service now; null: they are sent to the provider' }),
    provider_account: account.nullable().meta({ description: 'account at the provider; null: unknown' }),
    log_id: z
      .string()
      .nullable()
      .meta({ description: 'ID of the log entry of the latest failure: `GET /logs/{id}`; null: the log has none' }),
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
    const address = addressOf(caller, { ...params, ...query });
    const health = await connectionHealth(services, address);
    if (health.state !== 'degraded') return { body: { data: health } };
    // The row of a degraded connection names no entry: each of its failures has one.
    return { body: { data: { ...health, log_id: await latestFailedRefresh(services.db, address, new Date(health.since)) } } };
  },
});

export const connectionHealthRoutes = [read];
