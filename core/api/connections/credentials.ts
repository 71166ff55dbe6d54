import * as z from 'zod';
import { connectionRecord } from '../../connections/connection-record.ts';
import { requireConnection } from '../../connections/connections.ts';
import { forceRefresh } from '../../credentials/force-refresh.ts';
import { freshCredentials } from '../../credentials/fresh.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { defineRoute } from '../../server/route.ts';
import { auditContext } from '../audit-context.ts';
import { CONNECTION, OAUTH2_CREDENTIALS } from '../examples.ts';
import { uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { addressOf, CONNECTIONS, connectionPath, fullRecord, record } from './connection-schemas.ts';

const shared = {
  method: 'POST',
  tag: CONNECTIONS,
  params: connectionPath,
  query: z.strictObject({ provider_config_key: uniqueKey }),
} as const;

const reveal = defineRoute({
  ...shared,
  path: '/api/ui/e/:env/connections/:connection_id/reveal',
  operationId: 'revealCredentials',
  access: { dashboard: 'environment:connections:read_credentials' },
  summary: 'Reveal the credentials of a connection',
  responses: {
    200: {
      description: 'The record with fresh credentials.',
      schema: z.strictObject({ data: fullRecord }),
      example: { data: { ...CONNECTION, credentials: OAUTH2_CREDENTIALS } },
    },
    404: { description: 'The integration or the connection does not exist.' },
    424: { description: 'The user must reauthorize.' },
    503: { description: 'The token has expired, and the provider cannot refresh it now.' },
  },
  async handle(services: ApiServices, { caller, address, params, query }) {
    const connection = await requireConnection(services, addressOf(caller, { ...params, ...query }));
    const fresh = await freshCredentials(services, connection);
    const subject = { type: 'connection', id: fresh.connectionId } as const;
    const entry = { action: 'connection.reveal', subject, facts: { integration: fresh.providerConfigKey } } as const;
    await recordAudit(services, { ...auditContext({ caller, address }), ...entry });
    return { body: { data: connectionRecord(fresh, { credentials: true, refreshToken: true }) } };
  },
});

const refresh = defineRoute({
  ...shared,
  path: '/api/ui/e/:env/connections/:connection_id/refresh',
  operationId: 'refreshCredentials',
  access: { dashboard: 'change' },
  summary: 'Refresh the credentials of a connection now',
  responses: {
    200: {
      description: 'The record without credentials.',
      schema: z.strictObject({
        data: record.extend({ credentials: z.strictObject({}) }),
        is_refreshed: z.boolean().describe('false: these credentials cannot be refreshed, and are unchanged'),
      }),
      example: { data: { ...CONNECTION, credentials: {} }, is_refreshed: true },
    },
    404: { description: 'The integration or the connection does not exist.' },
    424: { description: 'The user must reauthorize.' },
    503: { description: 'The provider cannot refresh the token now.' },
  },
  async handle(services: ApiServices, { caller, params, query }) {
    const connection = await requireConnection(services, addressOf(caller, { ...params, ...query }));
    const { connection: fresh, isFixed = false } = await forceRefresh(services, connection, 'strict');
    const data = connectionRecord(fresh, { credentials: false, refreshToken: false });
    return { body: { data, is_refreshed: !isFixed } };
  },
});

export const credentialsRoutes = [reveal, refresh];
