import * as z from 'zod';
import { deleteConnection } from '../../connect/deletion/connection-deleting.ts';
import type { Connection } from '../../connections/connection.ts';
import { CONNECTION_STATES } from '../../connections/connection-health.ts';
import { listConnections } from '../../connections/connection-list-store.ts';
import { connectionRecord, listItem } from '../../connections/connection-record.ts';
import { connectionWebhookUrl } from '../../connections/connection-webhook-url.ts';
import { requireConnection } from '../../connections/connections.ts';
import { requireIntegration } from '../../connections/integrations/integrations.ts';
import { readTags } from '../../connections/tags.ts';
import { type ForcedRefresh, forceRefresh } from '../../credentials/force-refresh.ts';
import { freshCredentials } from '../../credentials/fresh.ts';
import { ServiceError } from '../../errors.ts';
import { environmentOf } from '../../server/access/caller.ts';
import { mayReadCredentials, requireScope } from '../../server/access/require-scope.ts';
import { defineRoute } from '../../server/route.ts';
import { auditContext } from '../audit-context.ts';
import { CONNECTION, LISTED_CONNECTION, OAUTH2_CREDENTIALS } from '../examples.ts';
import { eitherCursorOrPage, pageMembers, positionOf } from '../paging.ts';
import { connectionId, dateTime, success, tagsShape, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { connectionChangeRoutes } from './connection-changes.ts';
import { connectionHealthRoutes } from './connection-health.ts';
import { connectionImportRoutes } from './connection-import.ts';
import { addressOf, CONNECTIONS, connectionPath, fullRecord, record } from './connection-schemas.ts';

const listed = record.extend({ created: dateTime }).meta({ id: 'ListedConnection' });
const flag = z.stringbool();
const searched = z.string().min(1).max(255);

const list = defineRoute({
  method: 'GET',
  path: '/connections',
  operationId: 'listConnections',
  access: { scope: 'environment:connections:list', inDashboard: true },
  summary: 'List connections, newest first',
  tag: CONNECTIONS,
  query: z
    .strictObject({
      tags: tagsShape.optional().describe('`tags[key]=value`; a connection must have all of these tags'),
      connectionId: connectionId.optional(),
      integrationId: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .meta({ description: 'one or more integration IDs, comma-separated', example: 'github,slack' }),
      search: searched.optional().meta({
        description:
          'words, each of which begins a word of the connection ID, of a tag’s value, of the end user’s name or e-mail address, or of the account at the provider',
        example: 'jane acme',
      }),
      endUserId: searched
        .optional()
        .meta({ description: 'value of the tag `end_user_id`, or the ID of `end_user`', example: 'user-123' }),
      endUserOrganizationId: searched
        .optional()
        .meta({ description: 'value of the tag `organization_id`, or that of `end_user`', example: 'org-7' }),
      state: z
        .enum(CONNECTION_STATES)
        .optional()
        .meta({ description: 'only connections in this state, e.g. those whose user must reauthorize', example: 'needs_reauth' }),
      ...pageMembers,
    })
    .refine(...eitherCursorOrPage),
  responses: {
    200: {
      description: 'One page, without credentials.',
      schema: z.strictObject({ connections: z.array(listed), next_cursor: z.string().nullable() }),
      example: { connections: [LISTED_CONNECTION], next_cursor: null },
    },
  },
  async handle(services: ApiServices, { caller, query }) {
    const { rows, nextCursor } = await listConnections(services.db, environmentOf(caller), {
      tags: query.tags && readTags(query.tags, { code: 'invalid_query_params', path: ['tags'] }),
      connectionId: query.connectionId,
      search: query.search,
      endUserId: query.endUserId,
      endUserOrganizationId: query.endUserOrganizationId,
      states: query.state && [query.state],
      providerConfigKeys: query.integrationId?.split(','),
      ...positionOf(query),
    });
    return { body: { connections: rows.map(listItem), next_cursor: nextCursor } };
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/connections/:connection_id',
  operationId: 'getConnection',
  access: { scope: 'environment:connections:read', inDashboard: true },
  summary: 'Get a connection with fresh credentials',
  tag: CONNECTIONS,
  params: connectionPath,
  query: z.strictObject({
    provider_config_key: uniqueKey,
    force_refresh: z
      .union([flag, z.literal('strict')], { error: 'must be true, false or strict' })
      .default(false)
      .meta({
        description:
          'refresh even if the credentials are still valid; if that fails, `true` returns the valid ones, `strict` an error',
        example: true,
      }),
    refresh_token: flag.default(false).meta({ description: 'include refresh tokens', example: false }),
    include: z
      .enum(['webhook'])
      .optional()
      .meta({ description: '`webhook`: adds `webhook_url`, the URL for this connection', example: 'webhook' }),
    refresh_github_app_jwt_token: flag.optional().meta({ description: 'accepted for existing clients, ignored', example: false }),
  }),
  responses: {
    200: {
      description: 'The record; `credentials` is `{}` for a key that may not read them.',
      schema: fullRecord,
      example: { ...CONNECTION, credentials: OAUTH2_CREDENTIALS },
      headers: {
        'Svc-Refresh':
          'Only for a forced refresh. `failed; code=<error code>`: it failed, or has not ended yet, and the credentials are ' +
          'unchanged; `not_refreshable`: these credentials cannot be refreshed',
      },
    },
    403: { description: 'The key lacks the scope, or may not read credentials.' },
    404: { description: 'The integration or the connection does not exist.' },
    424: { description: 'The user must reauthorize: offer a reconnect session.' },
    503: { description: 'The provider cannot refresh the token now, and it has expired or `strict` was requested.' },
  },
  async handle(services: ApiServices, { caller, params, query }) {
    const credentials = mayReadCredentials(caller, 'connections');
    if (!credentials && (query.force_refresh !== false || query.refresh_token)) {
      throw new ServiceError('forbidden', 'this API key lacks the scope environment:connections:read_credentials');
    }
    // Whoever has this URL can send deliveries that count as the provider's, so reading it requires the scope for changes.
    if (query.include === 'webhook' && 'member' in caller) requireScope(caller, 'environment:connections:update');
    const connection = await requireConnection(services, addressOf(caller, { ...params, ...query }));
    const view = { credentials, refreshToken: query.refresh_token };
    const more = query.include === 'webhook' ? { webhook_url: await connectionWebhookUrl(services, connection) } : {};
    if (!credentials) return { body: { ...connectionRecord(connection, view), ...more } };
    const refreshed = await credentialsFor(services, connection, query.force_refresh);
    const { connection: fresh } = refreshed;
    services.touch(fresh.id);
    return { body: { ...connectionRecord(fresh, view), ...more }, headers: refreshHeaders(refreshed) };
  },
});

function refreshHeaders({ failure, isFixed }: ForcedRefresh): Record<string, string> {
  if (isFixed) return { 'svc-refresh': 'not_refreshable' };
  return failure === undefined ? {} : { 'svc-refresh': `failed; code=${failure}` };
}

async function credentialsFor(services: ApiServices, connection: Connection, force: boolean | 'strict'): Promise<ForcedRefresh> {
  if (force !== false) return forceRefresh(services, connection, force);
  return { connection: await freshCredentials(services, connection) };
}

const remove = defineRoute({
  method: 'DELETE',
  path: '/connections/:connection_id',
  operationId: 'deleteConnection',
  access: { scope: 'environment:connections:delete', inDashboard: true },
  summary: 'Delete a connection',
  tag: CONNECTIONS,
  params: connectionPath,
  query: z.strictObject({ provider_config_key: uniqueKey }),
  responses: {
    200: success('Deleted; its credentials can no longer be used.'),
    404: { description: 'The integration or the connection does not exist.' },
  },
  async handle(services: ApiServices, { params, query, ...by }) {
    const connection = await requireConnection(services, addressOf(by.caller, { ...params, ...query }));
    const integration = await requireIntegration(services, connection.environmentId, connection.providerConfigKey);
    await deleteConnection(services, connection, { integration, audit: auditContext(by) });
    return { body: { success: true } };
  },
});

export const connectionRoutes = [
  list,
  read,
  remove,
  ...connectionHealthRoutes,
  ...connectionImportRoutes,
  ...connectionChangeRoutes,
];
