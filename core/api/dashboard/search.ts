import * as z from 'zod';
import { connectionOverview } from '../../connections/connection-list-store.ts';
import { logoUrl } from '../../connections/integrations/integration-record.ts';
import { integrationPage } from '../../connections/integrations/overview-store.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { messageById } from '../../webhook-delivery/message-list-store.ts';
import { CONNECTION_ROW, connectionRow, shownConnection } from '../connections/dashboard-routes.ts';
import { currentNames, NAMES, named } from '../current-names.ts';
import { CONNECTION, INTEGRATION } from '../examples.ts';
import { LISTED_LOG, listedLog } from '../logs/log-schemas.ts';
import { listLogs } from '../logs/routes.ts';
import type { ApiServices } from '../services.ts';

/** Maximum number of results of each kind. */
const SHOWN = 5;
/** The beginning of the IDs of webhooks. */
const MESSAGE_ID = /^msg_[\w-]+$/;

const integration = z.strictObject({ unique_key: z.string(), display_name: z.string(), provider: z.string(), logo: z.url() });
const FOUND_INTEGRATION = {
  unique_key: INTEGRATION.unique_key,
  display_name: INTEGRATION.display_name,
  provider: INTEGRATION.provider,
  logo: INTEGRATION.logo,
};
const webhook = z.strictObject({ id: z.string(), type: z.string(), status: z.string() });

const search = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/search',
  operationId: 'search',
  access: { dashboard: 'read' },
  summary: 'Search connections, integrations, operations and the ID of a webhook',
  tag: 'Home',
  query: z.strictObject({
    search: z.string().min(1).max(255).meta({ description: 'beginnings of words, or an ID', example: 'jane acme' }),
  }),
  responses: {
    200: {
      description: `At most ${SHOWN} of each kind, the newest or most recently changed first.`,
      schema: z.strictObject({
        data: z.strictObject({
          connections: z.array(connectionRow.extend({ tags: z.record(z.string(), z.string()) })),
          has_more_connections: z.boolean(),
          integrations: z.array(integration),
          operations: z.array(listedLog.extend(currentNames)),
          webhook: webhook.nullable(),
        }),
      }),
      example: {
        data: {
          connections: [{ ...CONNECTION_ROW, tags: CONNECTION.tags }],
          has_more_connections: false,
          integrations: [FOUND_INTEGRATION],
          operations: [{ ...LISTED_LOG, ...NAMES }],
          webhook: null,
        },
      },
    },
  },
  async handle(services: ApiServices, { caller, query: { search: text } }) {
    const environment = environmentInPath(caller);
    const { db, baseUrl } = services;
    const [connections, integrations, operations, message] = await Promise.all([
      connectionOverview(db, environment.id, { search: text, limit: SHOWN }),
      integrationPage(db, environment.id, { search: text, order: 'updated', limit: SHOWN }),
      listLogs(services, environment.id, { search: text, limit: SHOWN }),
      MESSAGE_ID.test(text) ? messageById(db, environment.id, text) : undefined,
    ]);
    return {
      body: {
        data: {
          connections: connections.rows.map((one) => ({ ...shownConnection(services, one), tags: one.tags })),
          has_more_connections: connections.nextCursor !== null,
          integrations: integrations.map(({ unique_key, display_name, provider }) => {
            return { unique_key, display_name, provider, logo: logoUrl(baseUrl, provider) };
          }),
          operations: await named(services, environment.id, operations.data),
          webhook: message === undefined ? null : { id: message.message_id, type: message.type, status: message.status },
        },
      },
    };
  },
});

export const searchRoutes = [search];
