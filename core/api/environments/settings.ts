import * as z from 'zod';
import { checkCallback } from '../../connections/integrations/callback-check.ts';
import { environmentCallback } from '../../connections/integrations/redirect-uri.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { type Environment, environmentById, updateEnvironment } from '../../tenants/environments/environment-store.ts';
import { keepLogins, withoutLogins } from '../../tenants/environments/webhook-login.ts';
import { checkWebhookUrls, INBOX, inboxUrl, resumeDelivery, withInbox } from '../../webhook-delivery/webhook-urls.ts';
import { namesOf } from '../audit-context.ts';
import { environmentChanged, recordedChange } from '../dashboard/recorded-change.ts';
import { CALLBACK_URL, ENVIRONMENT, INTEGRATION } from '../examples.ts';
import { callbackUrl, dateTime, webhookUrl } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { requireSettings } from '../setting-permissions.ts';

const TAG = 'Settings of an environment';

const settings = z.strictObject({
  uuid: z.uuid(),
  name: z.string(),
  is_production: z.boolean(),
  callback_url: z.string().nullable().describe('the environment’s own callback URL; null: that of the service'),
  effective_callback_url: z.string().describe('callback URL to register at providers'),
  webhook_url: z.string().nullable(),
  webhook_url_secondary: z.string().nullable(),
  webhook_url_since: dateTime.nullable().describe('when the webhook URL was set; null: unknown'),
  inbox_url: z.string().nullable().describe('URL of the environment’s inbox; null in production'),
  on_new_connection: z.boolean(),
  on_refresh: z.boolean(),
  on_deletion: z.boolean(),
});

const SETTINGS = {
  uuid: ENVIRONMENT.uuid,
  name: 'dev',
  is_production: false,
  callback_url: null,
  effective_callback_url: CALLBACK_URL,
  webhook_url: 'https://app.acme.example/webhooks',
  webhook_url_secondary: null,
  webhook_url_since: INTEGRATION.updated_at,
  inbox_url: `https://svc.example.com/sandbox/inbox/${ENVIRONMENT.uuid}`,
  on_new_connection: true,
  on_refresh: false,
  on_deletion: false,
};

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/settings',
  operationId: 'getSettings',
  access: { dashboard: 'read' },
  summary: 'Get the settings of an environment',
  tag: TAG,
  responses: {
    200: { description: 'The settings.', schema: z.strictObject({ data: settings }), example: { data: SETTINGS } },
  },
  async handle(services: ApiServices, { caller }) {
    const environment = environmentInPath(caller);
    return { body: { data: settingsRecord(services, environment) } };
  },
});

const change = defineRoute({
  method: 'PATCH',
  path: '/api/ui/e/:env/settings',
  operationId: 'changeSettings',
  access: { dashboard: 'change' },
  summary: 'Change settings of an environment, on every instance at once',
  tag: TAG,
  body: z.strictObject({
    callback_url: callbackUrl.nullable().exactOptional().describe('null: the callback URL of the service'),
    webhook_url: z
      .union([z.literal(INBOX), webhookUrl])
      .nullable()
      .exactOptional()
      .describe(`"${INBOX}" or the URL of the inbox: the inbox of the environment`),
    webhook_url_secondary: webhookUrl.nullable().exactOptional(),
    on_new_connection: z.boolean().exactOptional(),
    on_refresh: z.boolean().exactOptional(),
    on_deletion: z.boolean().exactOptional(),
  }),
  bodyExample: { webhook_url: SETTINGS.webhook_url, on_new_connection: true },
  responses: {
    200: {
      description: 'The settings after the change.',
      schema: z.strictObject({ data: settings }),
      example: { data: SETTINGS },
    },
    403: {
      description:
        'Webhooks would not be sent to this address, production has no inbox, or only admins may change its callback URL.',
    },
  },
  async handle(services: ApiServices, { body, ...by }) {
    const { caller } = by;
    const environment = environmentInPath(caller);
    requireSettings(caller, body);
    const plain = withoutLogins(body);
    const wanted = plain.webhook_url === inboxUrl(services.baseUrl, environment) ? { ...plain, webhook_url: INBOX } : plain;
    const changes = withInbox(services.baseUrl, environment, wanted);
    await checkWebhookUrls(services.db, wanted, services.outboundAllow);
    await recordedChange(services, by, async ({ db }, record) => {
      await updateEnvironment(db, environment.id, changes);
      await keepLogins({ db, keys: services.keys }, environment.id, body);
      await resumeDelivery(services, db, { environmentId: environment.id, changes });
      await record(environmentChanged(environment, { changed: namesOf(body) }));
    });
    const after = await environmentById(services.db, environment.id);
    return { body: { data: settingsRecord(services, after ?? environment) } };
  },
});

const check = defineRoute({
  method: 'POST',
  path: '/api/ui/e/:env/callback-url/check',
  operationId: 'checkCallbackUrl',
  access: { dashboard: 'change' },
  summary: 'Call a callback URL once, and check whether it redirects to the service with the whole query',
  tag: TAG,
  body: z.strictObject({ callback_url: callbackUrl.optional().describe('default: the effective callback URL') }),
  bodyExample: { callback_url: 'https://app.acme.example/oauth-callback' },
  responses: {
    200: {
      description: 'The result. Only `right` and `own` mean that the URL is correct.',
      schema: z.strictObject({
        data: z.strictObject({
          callback_url: z.string(),
          expected: z.string().describe('URL to which it must redirect'),
          verdict: z.enum([
            'own',
            'right',
            'wrong_status',
            'no_redirect',
            'query_dropped',
            'leads_elsewhere',
            'not_reachable',
            'not_allowed',
          ]),
          status: z.int().nullable().describe('status of the response; 308 is right'),
          location: z.string().nullable().describe('URL to which it redirects, without the query'),
        }),
      }),
      example: {
        data: {
          callback_url: 'https://app.acme.example/oauth-callback',
          expected: CALLBACK_URL,
          verdict: 'query_dropped',
          status: 308,
          location: CALLBACK_URL,
        },
      },
    },
  },
  async handle(services: ApiServices, { caller, body }) {
    const environment = environmentInPath(caller);
    const { baseUrl, outbound } = services;
    const url = body.callback_url ?? environmentCallback({ baseUrl, environment });
    const found = await checkCallback(outbound, url, baseUrl);
    return {
      body: { data: { callback_url: url, expected: environmentCallback({ baseUrl, environment: undefined }), ...found } },
    };
  },
});

export const settingsRoutes = [read, change, check];

function settingsRecord({ baseUrl }: { readonly baseUrl: string }, environment: Environment) {
  const { uuid, name, isProduction, callbackUrl: own } = environment;
  return {
    uuid,
    name,
    is_production: isProduction,
    callback_url: own,
    effective_callback_url: environmentCallback({ baseUrl, environment }),
    webhook_url: environment.webhookUrl,
    webhook_url_secondary: environment.webhookUrlSecondary,
    webhook_url_since: environment.webhookUrlSince?.toISOString() ?? null,
    inbox_url: isProduction ? null : inboxUrl(baseUrl, environment),
    on_new_connection: environment.onNewConnection,
    on_refresh: environment.onRefresh,
    on_deletion: environment.onDeletion,
  };
}
