import * as z from 'zod';
import { allows } from '../connect-sessions/session.ts';
import { environmentById } from '../environments/environment-store.ts';
import { grants } from '../environments/scopes.ts';
import { type Caller, environmentOf } from '../http/caller.ts';
import { defineRoute } from '../http/route.ts';
import type { Integration, ListedIntegration } from '../integrations/integration.ts';
import { clientRecord, integrationRecord } from '../integrations/integration-record.ts';
import { integrationsOf } from '../integrations/integration-store.ts';
import { createIntegration, providerOf, requireIntegration } from '../integrations/integrations.ts';
import { dateTime, jsonObject, uniqueKey } from './schemas.ts';
import type { ApiServices } from './services.ts';

const record = z.strictObject({
  unique_key: z.string(),
  display_name: z.string(),
  provider: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
  logo: z.url(),
  forward_webhooks: z.boolean(),
});

const credentials = z.strictObject({
  type: z.string(),
  client_id: z.string().nullable(),
  client_secret: z.string().nullable(),
  scopes: z.string(),
  webhook_secret: z.string().nullable(),
});

const create = defineRoute({
  method: 'POST',
  path: '/integrations',
  access: { scope: 'environment:integrations:create' },
  summary: 'Create an integration',
  tag: 'Integrations',
  body: z.strictObject({
    unique_key: uniqueKey,
    provider: z.string().min(1).max(255),
    display_name: z.string().min(1).max(255).optional(),
    forward_webhooks: z.boolean().optional(),
    credentials: z
      .strictObject({
        type: z.string().max(64).optional(),
        client_id: z.string().min(1).max(1024).optional(),
        client_secret: z.string().min(1).max(4096).optional(),
        scopes: z.string().max(8192).optional(),
        webhook_secret: z.string().min(1).max(1024).optional(),
      })
      .optional(),
    integration_config: jsonObject.optional(),
  }),
  responses: {
    200: { description: 'The integration.', schema: z.strictObject({ data: record }) },
    400: { description: 'Unknown provider, or a member that does not fit it.' },
    409: { description: 'The key is taken.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    const integration = await createIntegration(services, environmentOf(caller), {
      uniqueKey: body.unique_key,
      provider: body.provider,
      displayName: body.display_name,
      forwardWebhooks: body.forward_webhooks,
      credentials: body.credentials,
      integrationConfig: body.integration_config,
    });
    return { body: { data: integrationRecord(integration, services.baseUrl) } };
  },
});

const list = defineRoute({
  method: 'GET',
  path: '/integrations',
  access: { scope: 'environment:integrations:list', orSession: true },
  summary: 'List integrations; with a connect session token, those it allows',
  tag: 'Integrations',
  responses: { 200: { description: 'All of them.', schema: z.strictObject({ data: z.array(record) }) } },
  async handle(services: ApiServices, { caller }) {
    const all = await integrationsOf(services.db, environmentOf(caller));
    const visible = visibleTo(caller, all);
    return { body: { data: visible.map((integration) => integrationRecord(integration, services.baseUrl)) } };
  },
});

const include = z.enum(['webhook', 'credentials']);

const read = defineRoute({
  method: 'GET',
  path: '/integrations/:uniqueKey',
  access: { scope: 'environment:integrations:read' },
  summary: 'Read an integration',
  tag: 'Integrations',
  params: z.strictObject({ uniqueKey }),
  query: z.strictObject({ include: z.union([include.transform((one) => [one]), z.array(include)]).optional() }),
  responses: {
    200: {
      description: 'The integration; `credentials` only for a key that may read them.',
      schema: z.strictObject({ data: record.extend({ webhook_url: z.url().optional(), credentials: credentials.optional() }) }),
    },
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { caller, params, query }) {
    const integration = await requireIntegration(services, environmentOf(caller), params.uniqueKey);
    const wanted = query.include ?? [];
    return {
      body: {
        data: {
          ...integrationRecord(integration, services.baseUrl),
          ...(wanted.includes('webhook') && { webhook_url: await webhookUrl(services, integration) }),
          ...(wanted.includes('credentials') && mayReadCredentials(caller) && { credentials: client(services, integration) }),
        },
      },
    };
  },
});

export const integrationRoutes = [create, list, read];

function visibleTo(caller: Caller, all: readonly ListedIntegration[]): readonly ListedIntegration[] {
  if (caller.kind !== 'session') return all;
  return all.filter(({ uniqueKey: key }) => allows(caller.session, key));
}

async function webhookUrl(services: ApiServices, integration: Integration): Promise<string> {
  const environment = await environmentById(services.db, integration.environmentId);
  return `${services.baseUrl}/webhook/${environment?.uuid ?? ''}/${encodeURIComponent(integration.uniqueKey)}`;
}

function client({ catalogue }: ApiServices, integration: Integration) {
  return clientRecord(integration, providerOf(catalogue, integration).definition.auth_mode);
}

function mayReadCredentials(caller: Caller): boolean {
  return caller.kind === 'environment' && grants(caller.scopes, 'environment:integrations:read_credentials');
}
