import * as z from 'zod';
import { requestedScopes } from '../../auth-modes/building-blocks/scopes.ts';
import { grantedScopes } from '../../auth-modes/granted-scopes.ts';
import type { Provider } from '../../catalogue/catalogue.ts';
import type { Connection } from '../../connections/connection.ts';
import { connectionsOf } from '../../connections/connection-store.ts';
import { shownUser, userName } from '../../connections/end-user.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import { requireIntegration } from '../../connections/integrations/integrations.ts';
import { modeInput } from '../../connections/integrations/mode-input.ts';
import { fromCursor, toCursor } from '../../db/cursor.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { connectionName } from '../current-names.ts';
import { CONNECTION } from '../examples.ts';
import type { ApiServices } from '../services.ts';
import { byKey } from './integration-schemas.ts';

/**
 * Number of connections per response whose granted scopes are compared with the requested ones. Each has to be decrypted for
 * that.
 */
const LOOKED_AT = 500;

const drift = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/integrations/:uniqueKey/scope-drift',
  operationId: 'getScopeDrift',
  access: { dashboard: 'read' },
  summary: 'List connections to which the provider granted fewer scopes than are requested now',
  tag: 'Integrations',
  params: byKey,
  query: z.strictObject({
    cursor: z.string().min(1).max(255).optional().meta({ description: '`next_cursor` of the previous page', example: 'NDI' }),
  }),
  responses: {
    200: {
      description: `Matches among ${LOOKED_AT} connections, newest first.`,
      schema: z.strictObject({
        data: z.array(
          z.strictObject({ connection_id: z.string(), connection_name: connectionName, missing: z.array(z.string()) }),
        ),
        compared: z.int().describe('number of connections in this response, whether or not they match'),
        unknown: z.int().describe('number of connections whose granted scopes the provider has not stated'),
        next_cursor: z.string().nullable(),
      }),
      example: {
        data: [{ connection_id: CONNECTION.connection_id, connection_name: 'Jane Doe', missing: ['repo'] }],
        compared: 44,
        unknown: 3,
        next_cursor: null,
      },
    },
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { caller, params, query }) {
    const environment = environmentInPath(caller);
    const integration = await requireIntegration(services, environment.id, params.uniqueKey);
    const provider = services.catalogue.find(integration.provider);
    const before = query.cursor === undefined ? undefined : fromCursor(query.cursor);
    const found = provider && (await connectionsOf(services, integration, { before, limit: LOOKED_AT }));
    const compared = (found ?? []).flatMap((one) => (provider ? compare(integration, provider, one) : []));
    const last = found?.length === LOOKED_AT ? found.at(-1) : undefined;
    return {
      body: {
        data: compared.flatMap(({ missing, ...whose }) => (missing?.length ? [{ ...whose, missing }] : [])),
        compared: compared.length,
        unknown: compared.filter(({ missing }) => missing === null).length,
        next_cursor: last ? toCursor(last.id) : null,
      },
    };
  },
});

export const scopeDriftRoutes = [drift];

/**
 * Compares the granted scopes of a connection with those for which its user is asked now, which a session may have set.
 *
 * @returns nothing if no scopes are asked for; `missing` is null if the provider has not stated the granted scopes
 */
function compare(integration: Integration, provider: Provider, connection: Connection) {
  const { connectionId, connectionConfig, tags, endUser, credentials } = connection;
  const { client } = modeInput(integration, provider, { connectionConfig, rules: undefined });
  const asked = requestedScopes(client, provider.definition);
  if (asked.length === 0) return [];
  const granted = grantedScopes(credentials);
  const missing = granted && asked.filter((scope) => !granted.includes(scope));
  return [{ connection_id: connectionId, connection_name: userName(shownUser(tags, endUser)), missing }];
}
