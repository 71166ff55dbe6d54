import * as z from 'zod';
import { environmentCounts, MOST_COUNTED, totalOf } from '../../connections/connection-counts-store.ts';
import { CONNECTION_STATES } from '../../connections/connection-health.ts';
import { type ConnectionOverviewRow, connectionOverview } from '../../connections/connection-list-store.ts';
import { openAccount } from '../../connections/connection-row.ts';
import { shownUser } from '../../connections/end-user.ts';
import { logoUrl } from '../../connections/integrations/integration-record.ts';
import { shownAccount } from '../../connections/provider-account.ts';
import { readTags } from '../../connections/tags.ts';
import { fromCursor } from '../../db/cursor.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { connectionCountsShape } from '../dashboard/schemas.ts';
import { CONNECTION, INTEGRATION } from '../examples.ts';
import { count, dateTime, listOf, tagsShape, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { lastUse } from './last-use.ts';

const TAG = 'Connections';
const PAGE = 50;
/** Maximum number of connections of a page: each has an account to be decrypted. */
const MAX_PAGE = 500;

const text = z.string().nullable();

/** A connection in lists of the dashboard. */
export const connectionRow = z.strictObject({
  connection_id: z.string(),
  provider_config_key: z.string(),
  integration_name: z.string(),
  provider: z.string(),
  logo: z.url(),
  display_name: text.describe('name of the end user, from the tags or else from `end_user`'),
  email: text,
  end_user_id: text.describe('ID of the end user, from the tags or else from `end_user`'),
  organization: text.describe('name or else ID of the end user’s organization'),
  provider_account: z.strictObject({ id: z.string(), name: z.string().optional(), email: z.string().optional() }).nullable(),
  state: z.enum(CONNECTION_STATES),
  created_at: dateTime,
  last_fetched_at: dateTime.nullable().describe('null: never'),
});

export const CONNECTION_ROW = {
  connection_id: CONNECTION.connection_id,
  provider_config_key: CONNECTION.provider_config_key,
  integration_name: INTEGRATION.display_name,
  provider: CONNECTION.provider,
  logo: INTEGRATION.logo,
  display_name: 'Jane Doe',
  email: 'jane@acme.example',
  end_user_id: 'user-123',
  organization: 'Acme',
  provider_account: { id: '1042', name: 'jane' },
  state: 'healthy' as const,
  created_at: CONNECTION.created_at,
  last_fetched_at: CONNECTION.last_fetched_at,
};

const list = defineRoute({
  method: 'GET',
  // The path is not below /connections, where this segment could also be the ID of a connection.
  path: '/api/ui/e/:env/connection-rows',
  operationId: 'listConnectionRows',
  access: { dashboard: 'read' },
  summary: 'List connections with their end users and states',
  tag: TAG,
  query: z.strictObject({
    search: z.string().min(1).max(255).optional().meta({ description: 'words, as in GET /connections', example: 'jane acme' }),
    integration: uniqueKey.optional(),
    state: listOf(z.enum(CONNECTION_STATES))
      .optional()
      .meta({ description: `comma-separated: ${CONNECTION_STATES.join(', ')}`, example: 'degraded,needs_reauth' }),
    sort: z.enum(['newest', 'oldest']).default('newest').meta({ description: 'which connections come first', example: 'oldest' }),
    tags: tagsShape.optional().describe('`tags[key]=value`; a connection must have all of these tags'),
    limit: count({ from: 1, to: MAX_PAGE }).default(PAGE).meta({ description: 'page size', example: PAGE }),
    cursor: z.string().min(1).max(255).optional().meta({ description: '`next_cursor` of the previous page' }),
  }),
  responses: {
    200: {
      description: 'One page, without credentials.',
      schema: z.strictObject({ data: z.array(connectionRow), next_cursor: text }),
      example: { data: [CONNECTION_ROW], next_cursor: null },
    },
  },
  async handle(services: ApiServices, { caller, query }) {
    const environment = environmentInPath(caller);
    const { rows, nextCursor } = await connectionOverview(services.db, environment.id, {
      search: query.search,
      providerConfigKeys: query.integration === undefined ? undefined : [query.integration],
      states: query.state,
      tags: query.tags && readTags(query.tags, { code: 'invalid_query_params', path: ['tags'] }),
      isOldestFirst: query.sort === 'oldest',
      after: query.cursor === undefined ? undefined : fromCursor(query.cursor),
      limit: query.limit,
    });
    return { body: { data: rows.map((one) => shownConnection(services, one)), next_cursor: nextCursor } };
  },
});

export function shownConnection({ baseUrl, keys }: ApiServices, one: ConnectionOverviewRow) {
  const user = shownUser(one.tags, one.end_user);
  const account = shownAccount(openAccount(keys, one));
  return {
    connection_id: one.connection_id,
    provider_config_key: one.provider_config_key,
    integration_name: one.integration_name,
    provider: one.provider,
    logo: logoUrl(baseUrl, one.provider),
    display_name: user.displayName,
    email: user.email,
    end_user_id: user.endUserId,
    organization: user.organization,
    provider_account: account && {
      id: account.id,
      ...(account.name !== undefined && { name: account.name }),
      ...(account.email !== undefined && { email: account.email }),
    },
    state: one.state,
    created_at: one.created_at.toISOString(),
    last_fetched_at: lastUse({ createdAt: one.created_at, lastFetchedAt: one.last_fetched_at }),
  };
}

const counts = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/connections-count',
  operationId: 'countConnections',
  access: { dashboard: 'read' },
  summary: 'Count the connections of an environment by state',
  tag: TAG,
  responses: {
    200: {
      description: `The counts; ${MOST_COUNTED} stands for that many or more.`,
      schema: z.strictObject({
        data: connectionCountsShape.extend({
          total: z.int(),
          needs_attention: z.int().describe('connections whose user must reauthorize'),
        }),
      }),
      example: { data: { healthy: 804, degraded: 3, needs_reauth: 12, pending: 0, total: 819, needs_attention: 12 } },
    },
  },
  async handle(services: ApiServices, { caller }) {
    const environment = environmentInPath(caller);
    const found = await environmentCounts(services.db, environment.id);
    return { body: { data: { ...found, total: totalOf(found), needs_attention: found.needs_reauth } } };
  },
});

export const connectionRowRoutes = [counts, list];
