import * as z from 'zod';
import { allows } from '../../connections/connect-sessions/session.ts';
import type { Integration, ListedIntegration } from '../../connections/integrations/integration.ts';
import { clientRecord, configRecord, integrationRecord } from '../../connections/integrations/integration-record.ts';
import { integrationsOf } from '../../connections/integrations/integration-store.ts';
import {
  createFromSharedApp,
  createIntegration,
  providerOf,
  requireIntegration,
} from '../../connections/integrations/integrations.ts';
import { redirectUri } from '../../connections/integrations/redirect-uri.ts';
import { webhookAddress } from '../../connections/integrations/webhook-address.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { type Caller, environmentOf } from '../../server/access/caller.ts';
import { mayReadCredentials } from '../../server/access/require-scope.ts';
import { defineRoute } from '../../server/route.ts';
import { environmentById } from '../../tenants/environments/environment-store.ts';
import { auditContext, namesOf } from '../audit-context.ts';
import { CALLBACK_URL, CLIENT, INTEGRATION, INTEGRATION_KEY, WEBHOOK_URL } from '../examples.ts';
import { uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { requireDeciding } from '../setting-permissions.ts';
import {
  byKey,
  displayName,
  givenConfig,
  givenCredentials,
  integrationWithMore,
  provider,
  integrationRecord as record,
} from './integration-schemas.ts';

const quickBody = z
  .strictObject({
    unique_key: uniqueKey,
    provider,
    display_name: displayName.optional(),
    forward_webhooks: z.boolean().optional(),
  })
  .meta({ id: 'QuickstartIntegration' });

const create = defineRoute({
  method: 'POST',
  path: '/integrations',
  operationId: 'createIntegration',
  access: { scope: 'environment:integrations:create', inDashboard: true },
  writes: 'in-transaction',
  summary: 'Create an integration',
  tag: 'Integrations',
  body: quickBody
    .extend({ credentials: givenCredentials.optional(), integration_config: givenConfig.optional() })
    .meta({ id: 'NewIntegration' }),
  bodyExample: {
    unique_key: INTEGRATION_KEY,
    provider: INTEGRATION_KEY,
    credentials: {
      type: 'OAUTH2',
      client_id: 'example-client-id',
      client_secret: 'example-client-secret',
      scopes: 'repo,read:user',
    },
  },
  responses: {
    200: { description: 'The integration.', schema: z.strictObject({ data: record }), example: { data: INTEGRATION } },
    400: { description: 'The provider is unknown, or a field does not fit it.' },
    403: { description: 'The API key may not take an integration ID that another integration had.' },
    409: { description: 'The integration ID is already in use.' },
  },
  async handle(services: ApiServices, { body, ...by }) {
    const integration = await createIntegration(services, environmentOf(by.caller), {
      ...named(body),
      authorize: requireDeciding.bind(undefined, by.caller),
      credentials: body.credentials,
      integrationConfig: body.integration_config,
    });
    await recordCreation(services, { by, integration, body });
    return { body: { data: integrationRecord(integration, services.baseUrl) } };
  },
});

const quickstart = defineRoute({
  method: 'POST',
  path: '/integrations/quickstart',
  operationId: 'createQuickstartIntegration',
  access: { scope: 'environment:integrations:create', inDashboard: true },
  writes: 'in-transaction',
  summary: 'Create an integration that uses a shared developer app',
  tag: 'Integrations',
  body: quickBody,
  bodyExample: { unique_key: INTEGRATION_KEY, provider: INTEGRATION_KEY },
  responses: {
    200: { description: 'The integration.', schema: z.strictObject({ data: record }), example: { data: INTEGRATION } },
    400: { description: 'The provider is unknown or has no shared app.' },
    403: { description: 'The API key may not take an integration ID that another integration had.' },
    409: { description: 'The integration ID is already in use.' },
  },
  async handle(services: ApiServices, { body, ...by }) {
    const integration = await createFromSharedApp(services, environmentOf(by.caller), {
      ...named(body),
      authorize: requireDeciding.bind(undefined, by.caller),
    });
    await recordCreation(services, { by, integration, body });
    return { body: { data: integrationRecord(integration, services.baseUrl) } };
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/integrations',
  operationId: 'listIntegrations',
  access: { scope: 'environment:integrations:list', orSession: true, inDashboard: true },
  summary: 'List integrations; with a connect session token, those that the session allows',
  tag: 'Integrations',
  responses: {
    200: {
      description: 'All integrations.',
      schema: z.strictObject({ data: z.array(record) }),
      example: { data: [INTEGRATION] },
    },
  },
  async handle(services: ApiServices, { caller }) {
    const all = await integrationsOf(services.db, environmentOf(caller));
    const visible = visibleTo(caller, all);
    return { body: { data: visible.map((integration) => integrationRecord(integration, services.baseUrl)) } };
  },
});

const include = z.enum(['webhook', 'credentials', 'config']);

const read = defineRoute({
  method: 'GET',
  path: '/integrations/:uniqueKey',
  operationId: 'getIntegration',
  access: { scope: 'environment:integrations:read', inDashboard: true },
  summary: 'Get an integration',
  tag: 'Integrations',
  params: byKey,
  query: z.strictObject({
    include: z
      .union([include.transform((one) => [one]), z.array(include)])
      .optional()
      .meta({ description: 'further data to include; may be repeated', example: ['webhook'] }),
  }),
  responses: {
    200: {
      description:
        'The integration; `credentials`, and secret fields of `integration_config`, only for an API key that may read them.',
      schema: z.strictObject({ data: integrationWithMore }),
      example: { data: { ...INTEGRATION, webhook_url: WEBHOOK_URL, callback_url: CALLBACK_URL, credentials: CLIENT } },
    },
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { caller, params, query }) {
    const integration = await requireIntegration(services, environmentOf(caller), params.uniqueKey);
    const wanted = query.include ?? [];
    const isTrusted = mayReadCredentials(caller, 'integrations');
    return {
      body: {
        data: {
          ...integrationRecord(integration, services.baseUrl),
          ...(wanted.includes('webhook') && (await addresses(services, integration))),
          ...(wanted.includes('credentials') && isTrusted && { credentials: client(services, integration) }),
          ...(wanted.includes('config') && { integration_config: configRecord(integration, { withSecrets: isTrusted }) }),
        },
      },
    };
  },
});

export const integrationRoutes = [create, quickstart, list, read];

function named(body: z.output<typeof quickBody>) {
  return {
    uniqueKey: body.unique_key,
    provider: body.provider,
    displayName: body.display_name,
    forwardWebhooks: body.forward_webhooks,
  };
}

interface Creation {
  readonly by: Parameters<typeof auditContext>[0];
  readonly integration: Integration;
  readonly body: Readonly<Record<string, unknown>>;
}

function recordCreation(services: ApiServices, { by, integration, body }: Creation): Promise<void> {
  const { uniqueKey: id, displayName: name, provider } = integration;
  const facts = { provider, given: namesOf(body) };
  const subject = { type: 'integration', id, name } as const;
  return recordAudit(services, { ...auditContext(by), action: 'integration.create', subject, facts });
}

function visibleTo(caller: Caller, all: readonly ListedIntegration[]): readonly ListedIntegration[] {
  if (caller.kind !== 'session') return all;
  return all.filter(({ uniqueKey: key }) => allows(caller.session, key));
}

/** Returns the URLs that have to be registered at the provider: the one for its deliveries, and the callback. */
async function addresses({ baseUrl, catalogue, db }: ApiServices, integration: Integration) {
  const environment = await environmentById(db, integration.environmentId);
  const provider = catalogue.find(integration.provider) ?? {};
  return {
    webhook_url: webhookAddress({
      baseUrl,
      environmentUuid: environment?.uuid ?? '',
      integrationKey: integration.uniqueKey,
    }),
    callback_url: redirectUri(integration, provider, { baseUrl, environment }),
  };
}

function client({ catalogue }: ApiServices, integration: Integration) {
  return clientRecord(integration, providerOf(catalogue, integration).definition.auth_mode);
}
