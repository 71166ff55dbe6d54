import * as z from 'zod';
import { patchConnection } from '../../connections/change-connection.ts';
import type { ConnectionAddress } from '../../connections/connection-store.ts';
import { readEndUser } from '../../connections/end-user.ts';
import { soleIntegrationOf } from '../../connections/legacy-address.ts';
import { setMetadata } from '../../connections/metadata.ts';
import { readTags } from '../../connections/tags.ts';
import { withTransaction } from '../../db/transaction.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { environmentOf } from '../../server/access/caller.ts';
import { defineRoute, type RouteRequest } from '../../server/route.ts';
import { auditContext } from '../audit-context.ts';
import { CONNECTION } from '../examples.ts';
import { boundedObject, clearableWebhookUrl, connectionId, success, tagsShape, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { requireSettings } from '../setting-permissions.ts';
import { addressOf, CONNECTIONS, connectionPath } from './connection-schemas.ts';
import { endUserInput } from './end-user-schemas.ts';

const UPDATE = { scope: 'environment:connections:update', inDashboard: true } as const;
const MAX_IDS = 1000;

const patchBody = z
  .strictObject({
    tags: tagsShape.optional().describe('replaces all tags'),
    end_user: endUserInput.optional().describe('deprecated: use `tags`'),
    webhook_url_override: clearableWebhookUrl
      .optional()
      .describe('webhook URL for this connection; empty: that of the environment'),
  })
  .meta({ id: 'ConnectionChanges' });

function changesIn(body: z.infer<typeof patchBody>) {
  return {
    tags: body.tags && readTags(body.tags, { code: 'invalid_body', path: ['tags'] }),
    endUser: body.end_user && readEndUser(body.end_user),
    webhookUrlOverride: body.webhook_url_override,
  };
}

interface Patch {
  readonly address: ConnectionAddress;
  readonly body: z.infer<typeof patchBody>;
}

/**
 * Changes a connection. A change of its webhook URL is recorded in the audit trail; a change of its tags is not, since
 * applications write tags all the time.
 */
async function patchRecorded(
  services: ApiServices,
  by: Pick<RouteRequest<unknown, unknown, unknown>, 'caller' | 'address'>,
  { address, body }: Patch,
): Promise<void> {
  requireSettings(by.caller, body);
  if (body.webhook_url_override === undefined) return patchConnection(services, address, changesIn(body));
  await withTransaction(services.db, async (trx) => {
    const here = { ...services, db: trx };
    await patchConnection(here, address, changesIn(body));
    const subject = { type: 'connection', id: address.connectionId } as const;
    const facts = { given: ['webhook_url_override'], integration: address.providerConfigKey };
    await recordAudit(here, { ...auditContext(by), action: 'connection.update', subject, facts });
  });
}

const patched = {
  body: patchBody,
  bodyExample: { tags: CONNECTION.tags },
  responses: {
    200: success('Updated; omitted fields stay unchanged.'),
    404: { description: 'The integration or the connection does not exist.' },
  },
};

const patch = defineRoute({
  ...patched,
  method: 'PATCH',
  path: '/connections/:connection_id',
  operationId: 'updateConnection',
  access: UPDATE,
  summary: 'Update the tags, end user or webhook URL of a connection',
  tag: CONNECTIONS,
  params: connectionPath,
  query: z.strictObject({ provider_config_key: uniqueKey }),
  async handle(services: ApiServices, { params, query, body, ...by }) {
    await patchRecorded(services, by, { address: addressOf(by.caller, { ...params, ...query }), body });
    return { body: { success: true } };
  },
});

const legacyPatch = defineRoute({
  ...patched,
  method: 'PATCH',
  path: '/v1/connections/:connection_id',
  operationId: 'updateConnectionV1',
  deprecated: true,
  access: { scope: UPDATE.scope },
  summary: 'Update a connection; the integration may be omitted if the connection ID is unique in the environment',
  tag: CONNECTIONS,
  params: connectionPath,
  query: z.strictObject({ provider_config_key: uniqueKey.optional() }),
  async handle(services: ApiServices, { params, query, body, ...by }) {
    const environmentId = environmentOf(by.caller);
    const key = query.provider_config_key ?? (await soleIntegrationOf(services.db, environmentId, params.connection_id));
    await patchRecorded(services, by, { address: addressOf(by.caller, { ...params, provider_config_key: key }), body });
    return { body: { success: true } };
  },
});

const metadataBody = z
  .strictObject({
    connection_id: z.union([connectionId, z.array(connectionId).min(1).max(MAX_IDS)]).describe('one ID or a list of IDs'),
    provider_config_key: uniqueKey,
    metadata: boundedObject,
  })
  .meta({ id: 'ConnectionMetadata' });

const METADATA_EXAMPLE = {
  connection_id: CONNECTION.connection_id,
  provider_config_key: CONNECTION.provider_config_key,
  metadata: CONNECTION.metadata,
};

const METADATA_ROUTE = {
  path: '/connections/metadata',
  access: UPDATE,
  tag: CONNECTIONS,
  body: metadataBody,
  bodyExample: METADATA_EXAMPLE,
  responses: {
    200: { description: 'The request body.', schema: metadataBody, example: METADATA_EXAMPLE },
    404: { description: 'The integration or one of the connections does not exist; none was changed.' },
  },
};

type MetadataRequest = RouteRequest<unknown, unknown, z.infer<typeof metadataBody>>;

async function writeMetadata(services: ApiServices, { caller, body }: MetadataRequest, { merge }: { readonly merge: boolean }) {
  const set = {
    environmentId: environmentOf(caller),
    providerConfigKey: body.provider_config_key,
    connectionIds: [body.connection_id].flat(),
  };
  await setMetadata(services, set, { metadata: body.metadata, merge });
  return { body };
}

const replaceMetadata = defineRoute({
  ...METADATA_ROUTE,
  method: 'POST',
  operationId: 'setMetadata',
  summary: 'Set the metadata of one or many connections',
  handle: (services: ApiServices, request) => writeMetadata(services, request, { merge: false }),
});

const mergeMetadata = defineRoute({
  ...METADATA_ROUTE,
  method: 'PATCH',
  operationId: 'updateMetadata',
  summary: 'Merge fields into the metadata of one or many connections',
  handle: (services: ApiServices, request) => writeMetadata(services, request, { merge: true }),
});

export const connectionChangeRoutes = [patch, legacyPatch, replaceMetadata, mergeMetadata];
