import * as z from 'zod';
import { connectionRecord, listItem } from '../connections/connection-record.ts';
import { connectionPage, requireConnection } from '../connections/connections.ts';
import { fromCursor } from '../connections/cursor.ts';
import { readTags } from '../connections/tags.ts';
import { freshCredentials } from '../credentials/fresh.ts';
import { grants } from '../environments/scopes.ts';
import { ServiceError } from '../errors.ts';
import { type Caller, environmentOf } from '../http/caller.ts';
import { defineRoute } from '../http/route.ts';
import { requireIntegration } from '../integrations/integrations.ts';
import { deleteConnection } from '../lifecycle/connection-deleting.ts';
import { count, dateTime, jsonObject, success, tagsShape, uniqueKey } from './schemas.ts';
import type { ApiServices } from './services.ts';

const TAG = 'Connections';
const DEFAULT_LIMIT = 1000;
const MAX_LIMIT = 2000;
const MAX_PAGE = 100_000;

const record = z.strictObject({
  id: z.int(),
  connection_id: z.string(),
  provider_config_key: z.string(),
  provider: z.string(),
  errors: z.array(z.strictObject({ type: z.enum(['auth', 'sync']), log_id: z.string() })),
  end_user: jsonObject.nullable(),
  metadata: jsonObject,
  connection_config: jsonObject,
  tags: tagsShape,
  created_at: dateTime,
  updated_at: dateTime,
  last_fetched_at: dateTime,
});

const connectionId = z.strictObject({ connection_id: z.string().min(1).max(255) });
const flag = z.stringbool();

const list = defineRoute({
  method: 'GET',
  path: '/connections',
  access: { scope: 'environment:connections:list' },
  summary: 'List connections, newest first',
  tag: TAG,
  query: z
    .strictObject({
      tags: tagsShape.optional().describe('`tags[key]=value`; a connection must carry all of them'),
      connectionId: z.string().min(1).max(255).optional(),
      integrationId: z.string().min(1).max(4096).optional().describe('one or several integration IDs, comma separated'),
      limit: count({ from: 1, to: MAX_LIMIT }).default(DEFAULT_LIMIT),
      cursor: z.string().min(1).max(255).optional(),
      page: count({ from: 0, to: MAX_PAGE }).optional().describe('from 0; pass `cursor` instead to walk through many'),
    })
    .refine(({ cursor, page }) => cursor === undefined || page === undefined, 'give either cursor or page, not both'),
  responses: {
    200: {
      description: 'One page, without credentials.',
      schema: z.strictObject({ connections: z.array(record.extend({ created: dateTime })), next_cursor: z.string().nullable() }),
    },
  },
  async handle(services: ApiServices, { caller, query }) {
    const { rows, nextCursor } = await connectionPage(services.db, environmentOf(caller), {
      tags: query.tags && readTags(query.tags, { code: 'invalid_query_params', path: ['tags'] }),
      connectionId: query.connectionId,
      providerConfigKeys: query.integrationId?.split(','),
      limit: query.limit,
      before: query.cursor === undefined ? undefined : fromCursor(query.cursor),
      offset: query.page === undefined ? undefined : query.page * query.limit,
    });
    return { body: { connections: rows.map(listItem), next_cursor: nextCursor } };
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/connections/:connection_id',
  access: { scope: 'environment:connections:read' },
  summary: 'Read a connection with fresh credentials',
  tag: TAG,
  params: connectionId,
  query: z.strictObject({
    provider_config_key: uniqueKey,
    force_refresh: flag.default(false).describe('refresh even if the credentials are still good'),
    refresh_token: flag.default(false).describe('keep refresh tokens in the answer'),
    refresh_github_app_jwt_token: flag.optional().describe('accepted for existing clients, ignored'),
  }),
  responses: {
    200: {
      description: 'The record; `credentials` is `{}` for a key that may not read them.',
      schema: record.extend({ credentials: jsonObject }),
    },
    403: { description: 'The key lacks the scope, or may not read credentials.' },
    404: { description: 'The integration or the connection does not exist.' },
    424: { description: 'The user has to authorize again: offer a reconnect session.' },
    503: { description: 'The provider cannot be reached and the stored token has expired.' },
  },
  async handle(services: ApiServices, { caller, params, query }) {
    const credentials = mayReadCredentials(caller);
    if (!credentials && (query.force_refresh || query.refresh_token)) {
      throw new ServiceError('forbidden', 'this API key lacks the scope environment:connections:read_credentials');
    }
    const { connection } = await find(services, caller, { ...params, ...query });
    const view = { credentials, refreshToken: query.refresh_token };
    if (!credentials) return { body: connectionRecord(connection, view) };
    const fresh = await freshCredentials(services, connection, { force: query.force_refresh });
    services.touch(fresh.id);
    return { body: connectionRecord(fresh, view) };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/connections/:connection_id',
  access: { scope: 'environment:connections:delete' },
  summary: 'Delete a connection',
  tag: TAG,
  params: connectionId,
  query: z.strictObject({ provider_config_key: uniqueKey }),
  responses: {
    200: { description: 'It is gone; its credentials work nowhere any more.', schema: success },
    404: { description: 'The integration or the connection does not exist.' },
  },
  async handle(services: ApiServices, { caller, params, query }) {
    const { connection, integration } = await find(services, caller, { ...params, ...query });
    await deleteConnection(services, connection, integration);
    return { body: { success: true } };
  },
});

export const connectionRoutes = [list, read, remove];

interface Named {
  readonly connection_id: string;
  readonly provider_config_key: string;
}

async function find(services: ApiServices, caller: Caller, { connection_id: connectionId, provider_config_key: key }: Named) {
  const environmentId = environmentOf(caller);
  const integration = await requireIntegration(services, environmentId, key);
  const connection = await requireConnection(services, { environmentId, providerConfigKey: key, connectionId });
  return { integration, connection };
}

function mayReadCredentials(caller: Caller): boolean {
  return caller.kind === 'environment' && grants(caller.scopes, 'environment:connections:read_credentials');
}
