import * as z from 'zod';
import { grantedScopes } from '../../auth-modes/granted-scopes.ts';
import { validityOf } from '../../auth-modes/validity.ts';
import { requireConnection } from '../../connections/connections.ts';
import { logoUrl } from '../../connections/integrations/integration-record.ts';
import { requireIntegration } from '../../connections/integrations/integrations.ts';
import { defineRoute } from '../../server/route.ts';
import { INTEGRATION } from '../examples.ts';
import { dateTime, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { addressOf, CONNECTIONS, connectionPath } from './connection-schemas.ts';
import { lastUse } from './last-use.ts';

const status = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/connections/:connection_id/status',
  operationId: 'getConnectionStatus',
  access: { dashboard: 'read' },
  summary: 'Get what the dashboard shows of a connection besides its record, without credentials',
  tag: CONNECTIONS,
  params: connectionPath,
  query: z.strictObject({ provider_config_key: uniqueKey }),
  responses: {
    200: {
      description: 'The state of the connection’s credentials, and its own webhook URL.',
      schema: z.strictObject({
        data: z.strictObject({
          integration: z.strictObject({ display_name: z.string(), logo: z.url() }),
          auth_mode: z.string(),
          is_refreshable: z.boolean(),
          last_fetched_at: dateTime.nullable().describe('null: never'),
          scopes: z
            .array(z.string())
            .nullable()
            .describe('scopes that the provider granted; null: the provider has not stated them'),
          webhook_url_override: z.string().nullable().describe('null: the webhook URL of the environment'),
        }),
      }),
      example: {
        data: {
          integration: { display_name: INTEGRATION.display_name, logo: INTEGRATION.logo },
          auth_mode: 'OAUTH2',
          is_refreshable: true,
          last_fetched_at: null,
          scopes: ['repo', 'read:user'],
          webhook_url_override: null,
        },
      },
    },
    404: { description: 'The integration or the connection does not exist.' },
  },
  async handle(services: ApiServices, { caller, params, query }) {
    const { credentials, webhookUrlOverride, ...connection } = await requireConnection(
      services,
      addressOf(caller, { ...params, ...query }),
    );
    const integration = await requireIntegration(services, connection.environmentId, connection.providerConfigKey);
    const data = {
      integration: { display_name: integration.displayName, logo: logoUrl(services.baseUrl, integration.provider) },
      auth_mode: credentials.type,
      is_refreshable: validityOf(credentials).refreshable,
      last_fetched_at: lastUse(connection),
      scopes: grantedScopes(credentials),
      webhook_url_override: webhookUrlOverride,
    };
    return { body: { data } };
  },
});

export const connectionStatusRoutes = [status];
