import * as z from 'zod';
import { modeNamed } from '../../auth-modes/index.ts';
import { wayOf } from '../../auth-modes/way.ts';
import { connectionCounts } from '../../connections/connection-counts-store.ts';
import { CONNECTION_STATES } from '../../connections/connection-health.ts';
import { appMembersOf } from '../../connections/integrations/client-app.ts';
import { allowedIn } from '../../connections/integrations/demo-provider.ts';
import { integrationsOf } from '../../connections/integrations/integration-store.ts';
import { integrationIdsOf } from '../../connections/integrations/overview-store.ts';
import { environmentCallback } from '../../connections/integrations/redirect-uri.ts';
import { ServiceError } from '../../errors.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { DEFAULT_RULES } from '../../webhook-ingress/default-rules.ts';
import { connectionCountsShape } from '../dashboard/schemas.ts';
import { INTEGRATION_KEY } from '../examples.ts';
import type { ApiServices } from '../services.ts';
import { setupFacts, setupFactsOf } from './setup-facts.ts';

const TAG = 'Providers';
const inEnvironment = z.int().describe('number in this environment');
const usedMode = z.strictObject({ name: z.string(), count: z.int(), integrations: inEnvironment });
const usedProvider = z.strictObject({
  name: z.string(),
  integrations: inEnvironment,
  unique_key: z.string().describe('key of one of these integrations'),
});

const facets = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/catalogue',
  operationId: 'getCatalogue',
  access: { dashboard: 'read' },
  summary: 'Get what the catalogue knows of the providers in this environment',
  tag: TAG,
  responses: {
    200: {
      description: 'The providers of the operator, those with integrations, and the auth modes, the most frequent first.',
      schema: z.strictObject({
        data: z.strictObject({
          auth_modes: z.array(usedMode),
          own: z.array(z.string()).describe('names of the providers in the operator’s own folders'),
          set_up: z.array(usedProvider),
        }),
      }),
      example: {
        data: {
          auth_modes: [{ name: 'OAUTH2', count: 21, integrations: 3 }],
          own: ['acme-desk'],
          set_up: [{ name: INTEGRATION_KEY, integrations: 2, unique_key: INTEGRATION_KEY }],
        },
      },
    },
  },
  async handle(services: ApiServices, { caller }) {
    const environment = environmentInPath(caller);
    const isAllowed = await allowedIn(services.db, environment.id);
    const usable = services.catalogue.list().filter((one) => one.unusable === undefined && isAllowed(one));
    const integrations = await integrationsOf(services.db, environment.id);
    const used = integrations.map(({ provider }) => services.catalogue.find(provider));
    const auth_modes = countNames(usable.map(({ definition }) => definition.auth_mode)).map(({ name, count }) => {
      return { name, count, integrations: used.filter((one) => one?.definition.auth_mode === name).length };
    });
    const own = usable.filter(({ isBundled }) => isBundled !== true).map(({ slug }) => slug);
    const set_up = [...Map.groupBy(integrations, ({ provider }) => provider)].map(([name, all]) => {
      return { name, integrations: all.length, unique_key: all[0]?.uniqueKey ?? name };
    });
    return { body: { data: { auth_modes, own, set_up } } };
  },
});

function countNames(names: readonly string[]) {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const entries = [...counts].map(([name, count]) => ({ name, count }));
  return entries.sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));
}

const setup = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/providers/:slug/setup',
  operationId: 'getProviderSetup',
  access: { dashboard: 'read' },
  summary: 'Get what an integration of a provider needs in this environment',
  tag: TAG,
  params: z.strictObject({
    slug: z.string().min(1).max(255).meta({ description: 'the name of a provider', example: INTEGRATION_KEY }),
  }),
  responses: {
    200: {
      description: 'What the form asks for, and the states of the provider’s connections.',
      schema: z.strictObject({
        data: z.strictObject({
          callback_url: z.url().nullable().describe('URL to register at the provider; null: the provider redirects no users'),
          unique_key: z.string().describe('free key, derived from the name of the provider'),
          app: z.array(z.string()).describe('members of `credentials` that describe the app'),
          shared_app: z.strictObject({ scopes: z.array(z.string()), callback_url: z.url() }).nullable(),
          webhook_matching: z
            .array(z.string())
            .nullable()
            .describe(
              'parts of a webhook that identify its connections, in the order in which they are tried; null: the plugin does not say',
            ),
          ...setupFacts,
          integrations: z.int(),
          connections: connectionCountsShape,
        }),
      }),
      example: {
        data: {
          callback_url: 'https://svc.acme.example/oauth/callback',
          unique_key: `${INTEGRATION_KEY}-2`,
          app: ['client_id', 'client_secret', 'scopes'],
          shared_app: null,
          webhook_matching: ['body.installation.id is installation_id of the connection configuration'],
          app_need: 'required',
          has_secret_overlap: true,
          scopes_apply: 'next_sign_in',
          way: 'sign_in',
          asked: [],
          webhook_keys: ['webhook_secret'],
          integrations: 1,
          connections: { healthy: 41, degraded: 0, needs_reauth: 2, pending: 0 },
        },
      },
    },
    404: { description: 'There is no such provider.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const environment = environmentInPath(caller);
    const { db, baseUrl } = services;
    const provider = services.catalogue.find(params.slug);
    if (provider === undefined || provider.unusable !== undefined)
      throw new ServiceError('not_found', 'there is no such provider');
    const taken = new Set((await integrationsOf(db, environment.id)).map(({ uniqueKey }) => uniqueKey));
    const ids = await integrationIdsOf(db, environment.id, provider.slug);
    const countsOf = await connectionCounts(db, environment.id, ids);
    const all = ids.map(countsOf);
    const sum = (state: (typeof CONNECTION_STATES)[number]) => all.reduce((total, one) => total + one[state], 0);
    // The demo provider has an app in every mode, also where connections use none.
    const sharedApp = modeNamed(provider.definition.auth_mode).hasShareableApp ? provider.sharedApp : undefined;
    const rules = services.plugins.webhookRules(provider.slug) ?? DEFAULT_RULES;
    const { matchedBy } = rules;
    return {
      body: {
        data: {
          callback_url: wayOf(provider.definition) === 'sign_in' ? environmentCallback({ baseUrl, environment }) : null,
          unique_key: freeKey(provider.slug, taken),
          app: [...appMembersOf(provider.definition.auth_mode)],
          shared_app:
            sharedApp === undefined
              ? null
              : { scopes: [...sharedApp.scopes], callback_url: environmentCallback({ baseUrl, environment: undefined }) },
          webhook_matching: matchedBy === undefined ? null : [...matchedBy],
          ...setupFactsOf(provider.definition, rules),
          integrations: ids.length,
          connections: Object.fromEntries(CONNECTION_STATES.map((state) => [state, sum(state)])),
        },
      },
    };
  },
});

export const dashboardProviderRoutes = [facets, setup];

/** Returns the first free integration key: the provider's name, or the name with "-2", "-3", … appended. */
function freeKey(slug: string, taken: ReadonlySet<string>): string {
  let key = slug;
  for (let count = 2; taken.has(key); count += 1) key = `${slug}-${count}`;
  return key;
}
