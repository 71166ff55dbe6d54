import * as z from 'zod';
import { loginText, secret } from '../auth-modes/import-credentials.ts';
import { authorizeDirectly } from '../authorization/direct.ts';
import type { GivenCredentials } from '../authorization/given-credentials.ts';
import { defineRoute, type Reply, type RouteRequest } from '../http/route.ts';
import { BROWSER, browserQuery, sessionOfBrowser } from './browser.ts';
import { CONNECTION_ID } from './examples.ts';
import { uniqueKey } from './schemas.ts';
import type { ApiServices } from './services.ts';

const clientId = z.string().min(1).max(255);

const COMMON = {
  method: 'POST',
  access: BROWSER,
  tag: 'Authorization',
  params: z.strictObject({ uniqueKey }),
  query: browserQuery,
  responses: {
    200: {
      description: 'Connected. That the answer names the connection is deprecated: the auth webhook does.',
      schema: z.strictObject({ connectionId: z.string(), providerConfigKey: z.string() }),
      example: { connectionId: CONNECTION_ID, providerConfigKey: 'example' },
    },
    400: { description: 'Something is missing or not allowed, or the provider refused the credentials.' },
    404: { description: 'There is no such integration, or the connection to authorize again has been deleted.' },
    409: { description: 'Deprecated: only a signed request may authorize the connection of this ID again.' },
    503: { description: 'The provider could not be asked.' },
  },
} as const;

const withApiKey = defineRoute({
  ...COMMON,
  operationId: 'connectWithApiKey',
  path: '/api-auth/api-key/:uniqueKey',
  summary: 'Connect with an API key',
  body: z.strictObject({ apiKey: secret }),
  bodyExample: { apiKey: 'example-api-key' },
  handle: (services: ApiServices, request) => connect(services, request, { type: 'API_KEY', ...request.body }),
});

const withLogin = defineRoute({
  ...COMMON,
  operationId: 'connectWithBasic',
  path: '/api-auth/basic/:uniqueKey',
  summary: 'Connect with user name and password; either may be empty',
  body: z.strictObject({ username: loginText, password: loginText }),
  bodyExample: { username: 'ada', password: 'example-password' },
  handle: (services: ApiServices, request) => connect(services, request, { type: 'BASIC', ...request.body }),
});

const withClient = defineRoute({
  ...COMMON,
  operationId: 'connectWithClientCredentials',
  path: '/oauth2/auth/:uniqueKey',
  summary: 'Connect with an OAuth 2.0 client of the user’s own (client credentials grant)',
  body: z.strictObject({ client_id: clientId, client_secret: secret }),
  bodyExample: { client_id: 'example-client-id', client_secret: 'example-client-secret' },
  handle: (services: ApiServices, request) => connect(services, request, { type: 'OAUTH2_CC', ...request.body }),
});

const withToken = defineRoute({
  ...COMMON,
  operationId: 'connectWithTba',
  path: '/auth/tba/:uniqueKey',
  summary: 'Connect with a token for token-based authentication',
  body: z.strictObject({
    token_id: secret,
    token_secret: secret,
    oauth_client_id_override: clientId.optional().describe('in place of the integration’s client ID'),
    oauth_client_secret_override: secret.optional().describe('in place of the integration’s client secret'),
  }),
  bodyExample: { token_id: 'example-token-id', token_secret: 'example-token-secret' },
  handle: (services: ApiServices, request) => connect(services, request, { type: 'TBA', ...request.body }),
});

const withNothing = defineRoute({
  ...COMMON,
  operationId: 'connectUnauthenticated',
  path: '/auth/unauthenticated/:uniqueKey',
  summary: 'Connect to an API that needs no credentials',
  handle: (services: ApiServices, request) => connect(services, request, { type: 'NONE' }),
});

/** Connecting without a redirect, by the API of user interfaces of one's own. */
export const directRoutes = [withApiKey, withLogin, withClient, withToken, withNothing];

type Request = RouteRequest<{ readonly uniqueKey: string }, z.output<typeof browserQuery>, unknown>;

async function connect(
  services: ApiServices,
  { caller, params: { uniqueKey: key }, query }: Request,
  credentials: GivenCredentials,
): Promise<Reply> {
  const session = await sessionOfBrowser(services, caller, { uniqueKey: key, query });
  const request = { session, uniqueKey: key, params: query.params ?? {}, credentials };
  return { body: { connectionId: await authorizeDirectly(services, request), providerConfigKey: key } };
}
