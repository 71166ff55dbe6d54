import * as z from 'zod';
import { importCredentials } from '../../auth-modes/import-credentials.ts';
import { admitImport, type ImportRequest, storeImport } from '../../connect/establish/import-connection.ts';
import type { Connection } from '../../connections/connection.ts';
import { connectionRecord } from '../../connections/connection-record.ts';
import { readEndUser } from '../../connections/end-user.ts';
import { readTags } from '../../connections/tags.ts';
import { withTransaction } from '../../db/transaction.ts';
import { environmentOf } from '../../server/access/caller.ts';
import { mayReadCredentials } from '../../server/access/require-scope.ts';
import { defineRoute, type Reply } from '../../server/route.ts';
import { CONNECTION, OAUTH2_CREDENTIALS } from '../examples.ts';
import { boundedObject, clearableWebhookUrl, connectionId, tagsShape, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { CONNECTIONS, fullRecord } from './connection-schemas.ts';
import { endUserInput } from './end-user-schemas.ts';

const body = z
  .strictObject({
    provider_config_key: uniqueKey,
    credentials: importCredentials,
    connection_id: connectionId.optional().describe('default: generated'),
    connection_config: boundedObject.optional(),
    metadata: boundedObject.optional(),
    tags: tagsShape.optional(),
    end_user: endUserInput.optional().describe('deprecated: use `tags`'),
    webhook_url_override: clearableWebhookUrl.optional(),
  })
  .meta({ id: 'ConnectionImport' });

/** The parts of an import request, whether it is sent with an API key or from the dashboard. */
export const importInput = {
  body,
  bodyExample: {
    provider_config_key: CONNECTION.provider_config_key,
    connection_id: CONNECTION.connection_id,
    credentials: {
      type: 'OAUTH2',
      access_token: 'example-access-token',
      refresh_token: 'example-refresh-token',
      expires_at: '2026-01-16T09:00:00.000Z',
    },
    metadata: CONNECTION.metadata,
    tags: CONNECTION.tags,
  },
} as const;

const importOne = defineRoute({
  method: 'POST',
  path: '/connections',
  operationId: 'importConnection',
  access: { scope: 'environment:connections:create' },
  writes: 'by-itself',
  summary: 'Import a connection: create it, or replace the credentials of an existing one',
  tag: CONNECTIONS,
  query: z.strictObject({
    notify: z
      .stringbool()
      .default(true)
      .meta({ description: 'false: no auth webhook is sent, e.g. during a migration', example: false }),
  }),
  ...importInput,
  responses: {
    200: {
      description: 'The stored connection. Omitted fields of an existing connection stay unchanged.',
      schema: fullRecord,
      example: { ...CONNECTION, credentials: OAUTH2_CREDENTIALS },
    },
    400: { description: 'The body is invalid or does not fit the provider, or the provider rejected the credentials.' },
    404: { description: 'The integration does not exist.' },
    503: { description: 'The provider could not be reached to verify the credentials.' },
  },
  async handle(services: ApiServices, { caller, query, body, record }) {
    // The caller has just sent the credentials, so the response may repeat them. The connection may already exist, though:
    // secrets in its configuration are shown only to callers that may read credentials.
    const view = { credentials: true, refreshToken: false, secretConfig: mayReadCredentials(caller, 'connections') };
    const replyOf = (connection: Connection): Reply => ({ body: connectionRecord(connection, view) });
    const admitted = await admitImport(services, environmentOf(caller), { ...readImport(body), notify: query.notify });
    return withTransaction(services.db, async (trx) => {
      const reply = replyOf(await storeImport({ ...services, db: trx }, admitted));
      await record(trx, reply);
      return reply;
    });
  },
});

export const connectionImportRoutes = [importOne];

/** Reads the body of an import request. @throws ServiceError `invalid_body` for faults that only several fields together have */
export function readImport(given: z.output<typeof body>): Omit<ImportRequest, 'notify'> {
  return {
    providerConfigKey: given.provider_config_key,
    connectionId: given.connection_id,
    credentials: given.credentials,
    connectionConfig: given.connection_config,
    metadata: given.metadata,
    tags: given.tags && readTags(given.tags, { code: 'invalid_body', path: ['tags'] }),
    endUser: given.end_user && readEndUser(given.end_user),
    webhookUrlOverride: given.webhook_url_override,
  };
}
