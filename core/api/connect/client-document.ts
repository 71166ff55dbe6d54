import * as z from 'zod';
import { modeNamed } from '../../auth-modes/index.ts';
import { clientDocumentUrl } from '../../connections/integrations/client-document.ts';
import { providerOf } from '../../connections/integrations/integrations.ts';
import { redirectUri } from '../../connections/integrations/redirect-uri.ts';
import { ServiceError } from '../../errors.ts';
import { defineRoute } from '../../server/route.ts';
import { environmentById } from '../../tenants/environments/environment-store.ts';
import { ENVIRONMENT, INTEGRATION_KEY } from '../examples.ts';
import type { ApiServices } from '../services.ts';

const clientDocument = z
  .strictObject({
    client_id: z.url().describe('the URL of this document'),
    client_name: z.string().describe('host to which browsers are redirected'),
    application_type: z.enum(['native', 'web']).describe('`native` on a development machine'),
    redirect_uris: z.array(z.url()).length(1),
    grant_types: z.array(z.string()),
    response_types: z.array(z.string()),
    token_endpoint_auth_method: z.literal('none'),
  })
  .meta({ id: 'ClientDocument' });

const read = defineRoute({
  method: 'GET',
  path: '/oauth/client-metadata/:environment_uuid/:unique_key',
  operationId: 'readClientDocument',
  access: 'public',
  summary: 'Get an integration’s metadata as an OAuth client, for authorization servers that accept this URL as the client ID',
  tag: 'Authorization',
  // Both parameters accept any string, so that a UUID or key that cannot exist gets the same 404 as an unknown one.
  params: z.strictObject({
    environment_uuid: z.string().meta({ description: 'UUID of the environment', example: ENVIRONMENT.uuid }),
    unique_key: z
      .string()
      .meta({ description: 'key of the integration, or the one before it was renamed', example: INTEGRATION_KEY }),
  }),
  responses: {
    200: {
      description: 'A client ID metadata document (draft-ietf-oauth-client-id-metadata-document).',
      schema: clientDocument,
      example: {
        client_id: `https://connect.example.com/oauth/client-metadata/${ENVIRONMENT.uuid}/${INTEGRATION_KEY}`,
        client_name: 'connect.example.com',
        application_type: 'web',
        redirect_uris: ['https://connect.example.com/oauth/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    },
    404: { description: 'There is no such integration, or it is not a client of this kind.' },
  },
  async handle(services: ApiServices, { params }) {
    const { environment_uuid: environmentUuid, unique_key: uniqueKey } = params;
    const { integration } = await services.receivers.require({ environmentUuid, uniqueKey });
    const provider = providerOf(services.catalogue, integration);
    const { clientDocument: describe } = modeNamed(provider.definition.auth_mode);
    if (describe === undefined) throw new ServiceError('not_found', 'there is nothing at this URL');
    const { baseUrl } = services;
    const environment = await environmentById(services.db, integration.environmentId);
    const url = clientDocumentUrl({ baseUrl, environmentUuid, integrationKey: uniqueKey });
    const body = describe({ url, redirectUri: redirectUri(integration, provider, { baseUrl, environment }) });
    return { body, headers: { 'cache-control': 'public, max-age=300' } };
  },
});

export const clientDocumentRoutes = [read];
