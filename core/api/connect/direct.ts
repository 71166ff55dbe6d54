import * as z from 'zod';
import type { CredentialForm } from '../../auth-modes/auth-mode.ts';
import { AUTH_MODES } from '../../auth-modes/index.ts';
import { authorizeDirectly, type TypedCredentials } from '../../connect/flows/direct.ts';
import { defineRoute, type Reply, type RouteRequest } from '../../server/route.ts';
import { CONNECTION_ID } from '../examples.ts';
import { uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { BROWSER, browserQuery, sessionOfBrowser } from './browser.ts';

const COMMON = {
  method: 'POST',
  access: BROWSER,
  tag: 'Authorization',
  params: z.strictObject({ uniqueKey }),
  query: browserQuery,
  responses: {
    200: {
      description: 'Connected. The connection ID in this response is deprecated; take it from the auth webhook.',
      schema: z.strictObject({ connectionId: z.string(), providerConfigKey: z.string() }).meta({ id: 'ConnectedAccount' }),
      example: { connectionId: CONNECTION_ID, providerConfigKey: 'example' },
    },
    400: { description: 'Something is missing or not allowed, or the provider rejected the credentials.' },
    404: { description: 'There is no such integration, or the connection to reauthorize has been deleted.' },
    409: {
      description:
        'The credentials belong to a different account than the connection (`wrong_account`). In deprecated requests: a connection ' +
        'with this ID exists, and only a signed request may reauthorize it.',
    },
    503: { description: 'The provider could not be reached.' },
  },
} as const;

/** Endpoints that connect without a redirect, for custom user interfaces: one for each auth mode with a form. */
export const directRoutes = AUTH_MODES.flatMap(({ name, form }) => (form === undefined ? [] : [directRoute(name, form)]));

function directRoute(mode: string, form: CredentialForm) {
  const { path, operationId, summary, members, example } = form;
  const hasBody = Object.keys(members.shape).length > 0;
  return defineRoute({
    ...COMMON,
    operationId,
    path: `${path}/:uniqueKey`,
    summary,
    ...(hasBody && {
      body: members.meta({ id: `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}` }),
      bodyExample: example,
    }),
    handle: (services: ApiServices, request) => connect(services, request, { mode, form, members: request.body ?? {} }),
  });
}

type Request = RouteRequest<{ readonly uniqueKey: string }, z.output<typeof browserQuery>, unknown>;

async function connect(
  services: ApiServices,
  { caller, params: { uniqueKey: key }, query }: Request,
  credentials: TypedCredentials,
): Promise<Reply> {
  const session = await sessionOfBrowser(services, caller, { uniqueKey: key, query });
  const request = { session, uniqueKey: key, params: query.params ?? {}, credentials };
  return { body: { connectionId: await authorizeDirectly(services, request), providerConfigKey: key } };
}
