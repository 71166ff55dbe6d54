import * as z from 'zod';
import { environmentOf } from '../http/caller.ts';
import { mayRedirectCredentials } from '../http/require-scope.ts';
import { defineRoute } from '../http/route.ts';
import { changeIntegration } from '../integrations/change-integration.ts';
import { integrationRecord } from '../integrations/integration-record.ts';
import { deleteIntegration } from '../lifecycle/integration-deleting.ts';
import { INTEGRATION, INTEGRATION_KEY } from './examples.ts';
import { byKey, displayName, givenConfig, givenCredentials, integrationRecord as record } from './integration-schemas.ts';
import { success, uniqueKey } from './schemas.ts';
import type { ApiServices } from './services.ts';

const update = defineRoute({
  method: 'PATCH',
  path: '/integrations/:uniqueKey',
  operationId: 'updateIntegration',
  access: { scope: 'environment:integrations:update' },
  summary: 'Update an integration; omitted fields stay unchanged',
  tag: 'Integrations',
  params: byKey,
  body: z.strictObject({
    unique_key: uniqueKey.optional(),
    display_name: displayName.optional(),
    forward_webhooks: z.boolean().optional(),
    credentials: givenCredentials.optional(),
    integration_config: givenConfig.optional().meta({ description: 'an empty value removes a field' }),
  }),
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
    400: { description: 'An invalid field, or one that does not fit the provider.' },
    403: { description: 'It has connections, and the key may not change where their credentials are sent.' },
    404: { description: 'There is no such integration.' },
    409: { description: 'The new key is in use.' },
  },
  async handle(services: ApiServices, { caller, params, body }) {
    const address = { environmentId: environmentOf(caller), uniqueKey: params.uniqueKey };
    const integration = await changeIntegration(services, address, {
      uniqueKey: body.unique_key,
      displayName: body.display_name,
      forwardWebhooks: body.forward_webhooks,
      credentials: body.credentials,
      integrationConfig: body.integration_config,
      mayRedirectCredentials: mayRedirectCredentials(caller),
    });
    return { body: { data: integrationRecord(integration, services.baseUrl) } };
  },
});

const remove = defineRoute({
  method: 'DELETE',
  path: '/integrations/:uniqueKey',
  operationId: 'deleteIntegration',
  access: { scope: 'environment:integrations:delete' },
  summary: 'Delete an integration and all its connections',
  tag: 'Integrations',
  params: byKey,
  responses: {
    200: success('Deleted; the credentials of its connections can no longer be used. Clean-up at the provider follows.'),
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    await deleteIntegration(services, { environmentId: environmentOf(caller), uniqueKey: params.uniqueKey });
    return { body: { success: true } };
  },
});

export const integrationChangeRoutes = [update, remove];
