import * as z from 'zod';
import { deleteIntegration } from '../../connect/deletion/integration-deleting.ts';
import { changeIntegration } from '../../connections/integrations/change-integration.ts';
import { integrationRecord } from '../../connections/integrations/integration-record.ts';
import { withLongTransaction, withTransaction } from '../../db/transaction.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { environmentOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { auditContext, namesOf } from '../audit-context.ts';
import { INTEGRATION, INTEGRATION_KEY } from '../examples.ts';
import { success, uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { requireDeciding } from '../setting-permissions.ts';
import { byKey, displayName, givenConfig, givenCredentials, integrationRecord as record } from './integration-schemas.ts';

const update = defineRoute({
  method: 'PATCH',
  path: '/integrations/:uniqueKey',
  operationId: 'updateIntegration',
  access: { scope: 'environment:integrations:update', inDashboard: true },
  summary: 'Update an integration; omitted fields stay unchanged',
  tag: 'Integrations',
  params: byKey,
  body: z
    .strictObject({
      unique_key: uniqueKey.optional(),
      display_name: displayName.optional(),
      forward_webhooks: z.boolean().optional(),
      credentials: givenCredentials.optional(),
      integration_config: givenConfig.optional().meta({ description: 'an empty value removes a field' }),
    })
    .meta({ id: 'IntegrationChanges' }),
  bodyExample: {
    unique_key: INTEGRATION_KEY,
    display_name: 'GitHub of our team',
    forward_webhooks: false,
    credentials: { client_secret: 'example-client-secret', scopes: 'repo' },
  },
  responses: {
    200: {
      description: 'The updated integration.',
      schema: z.strictObject({ data: record }),
      example: { data: { ...INTEGRATION, display_name: 'GitHub of our team', forward_webhooks: false } },
    },
    400: { description: 'A field is invalid or does not fit the provider.' },
    403: {
      description:
        'The API key may not change where credentials are sent, or take an integration ID that another integration had.',
    },
    404: { description: 'There is no such integration.' },
    409: { description: 'The new integration ID is already in use.' },
  },
  async handle(services: ApiServices, { params, body, ...by }) {
    const address = { environmentId: environmentOf(by.caller), uniqueKey: params.uniqueKey };
    const changes = {
      uniqueKey: body.unique_key,
      displayName: body.display_name,
      forwardWebhooks: body.forward_webhooks,
      credentials: body.credentials,
      integrationConfig: body.integration_config,
      authorize: requireDeciding.bind(undefined, by.caller),
    };
    const integration = await withTransaction(services.db, async (trx) => {
      const here = { ...services, db: trx };
      const changed = await changeIntegration(here, address, changes);
      const subject = { type: 'integration', id: address.uniqueKey, name: changed.displayName } as const;
      const facts = { given: namesOf(body), unique_key: changed.uniqueKey };
      await recordAudit(here, { ...auditContext(by), action: 'integration.update', subject, facts });
      return changed;
    });
    return { body: { data: integrationRecord(integration, services.baseUrl) } };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/integrations/:uniqueKey',
  operationId: 'deleteIntegration',
  access: { scope: 'environment:integrations:delete', inDashboard: true },
  summary: 'Delete an integration and all its connections',
  tag: 'Integrations',
  params: byKey,
  responses: {
    200: success('Deleted; the credentials of its connections can no longer be used. Clean-up at the provider follows.'),
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { params: { uniqueKey }, ...by }) {
    await withLongTransaction(services.db, async (trx) => {
      const here = { ...services, db: trx };
      await deleteIntegration(here, { environmentId: environmentOf(by.caller), uniqueKey });
      const subject = { type: 'integration', id: uniqueKey } as const;
      await recordAudit(here, { ...auditContext(by), action: 'integration.delete', subject });
    });
    return { body: { success: true } };
  },
});

export const integrationChangeRoutes = [update, remove];
