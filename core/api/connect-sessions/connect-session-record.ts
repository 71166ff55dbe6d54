import * as z from 'zod';
import { expectedAccount } from '../../connect/form/expected-account.ts';
import { offeredIntegrations } from '../../connect/form/offered.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import { sessionRecord } from '../../connections/connect-sessions/session-record.ts';
import { logoUrl } from '../../connections/integrations/integration-record.ts';
import { integrationsOf } from '../../connections/integrations/integration-store.ts';
import { LANGUAGE_TAGS } from '../../kit/language.ts';
import { type Brand, brandLogoUrl } from '../../tenants/environments/brand.ts';
import { connectSettingsOf } from '../../tenants/environments/connect-settings-store.ts';
import { environmentById } from '../../tenants/environments/environment-store.ts';
import { faultOfReturnUrl } from '../../tenants/environments/return-urls.ts';
import { WAY } from '../connect/connect-form-schemas.ts';
import { endUserOutput } from '../connections/end-user-schemas.ts';
import { CONNECT_SESSION, INTEGRATION_KEY } from '../examples.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { SESSION_BODY } from './session-body.ts';

const names = z.array(z.string());
const color = z.strictObject({ primary: z.string() });
const theme = z.enum(['system', 'light', 'dark']);

const offered = z.strictObject({
  unique_key: z.string(),
  display_name: z.string(),
  provider: z.string(),
  logo_url: z.url(),
  categories: names,
  way: WAY,
});

const brand = z.strictObject({
  name: z.string().nullable(),
  logo_url: z.url().nullable(),
  color: z.string().nullable().meta({ description: 'colour of buttons, as `#rrggbb`' }),
  radius: z.int().nullable().meta({ description: 'radius of corners, in CSS pixels' }),
  theme,
  language: z.enum(LANGUAGE_TAGS).nullable().meta({ description: 'language if the application names none; null: the browser’s' }),
});

const account = z.strictObject({ name: z.string().optional(), email: z.string().optional() });

/** A session as a browser sees it. */
export const connectSession = z
  .strictObject({
    endUser: endUserOutput.nullable(),
    connectUISettings: z.strictObject({
      showWatermark: z.boolean(),
      defaultTheme: theme,
      theme: z.strictObject({ light: color, dark: color }),
    }),
    allowed_integrations: names.optional(),
    integrations_config_defaults: z
      .record(z.string(), z.strictObject({ connection_config: names, authorization_params: names.optional() }))
      .optional(),
    isReconnecting: z.literal(true).optional(),
    overrides: z.record(z.string(), z.strictObject({ docs_connect: z.string().optional() })).optional(),
    expires_at: dateTime,
    integrations: z.array(offered).meta({ description: 'integrations that the user can connect, in the order of the list' }),
    brand: brand.meta({ description: 'look of the environment’s pages' }),
    return_url: z.url().nullable().meta({ description: 'URL to which a connect link leads at the end' }),
    reconnect: z.strictObject({ integration: z.string(), account: account.nullable() }).nullable().meta({
      description: 'in a reconnect session: the integration, and the account with which the user must reconnect, if known',
    }),
    is_production: z.boolean(),
  })
  .meta({ id: 'ConnectSessionState' });

export const CONNECT_SESSION_RECORD = {
  endUser: { id: 'user-123', email: 'ada@example.com', display_name: 'Ada', tags: {}, organization: null },
  connectUISettings: {
    showWatermark: false,
    defaultTheme: 'system',
    theme: { light: { primary: '#00B2E3' }, dark: { primary: '#00B2E3' } },
  },
  allowed_integrations: [INTEGRATION_KEY],
  integrations_config_defaults: {
    [INTEGRATION_KEY]: { connection_config: ['subdomain'], authorization_params: ['prompt'] },
  },
  overrides: SESSION_BODY.overrides,
  expires_at: CONNECT_SESSION.expires_at,
  integrations: [
    {
      unique_key: INTEGRATION_KEY,
      display_name: 'GitHub',
      provider: INTEGRATION_KEY,
      logo_url: 'https://svc.example.com/logos/github.svg',
      categories: ['dev-tools'],
      way: 'sign_in',
    },
  ],
  brand: { name: null, logo_url: null, color: null, radius: null, theme: 'system', language: null },
  return_url: null,
  reconnect: null,
  is_production: true,
};

export async function connectSessionRecord(services: ApiServices, session: ConnectSession): Promise<object> {
  const { db, baseUrl } = services;
  const [all, environment, settings, reconnect] = await Promise.all([
    integrationsOf(db, session.environmentId),
    environmentById(db, session.environmentId),
    connectSettingsOf(db, session.environmentId),
    expectedAccount(services, session),
  ]);
  const existing = new Set(all.map(({ uniqueKey }) => uniqueKey));
  const { returnUrl } = session;
  return {
    ...sessionRecord(session, (key) => existing.has(key)),
    integrations: offeredIntegrations(services.catalogue, session, all).map(({ integration, provider, way }) => ({
      unique_key: integration.uniqueKey,
      display_name: integration.displayName,
      provider: integration.provider,
      logo_url: logoUrl(baseUrl, integration.provider),
      categories: provider.definition.categories ?? [],
      way,
    })),
    brand: brandRecord(settings.brand, environment?.uuid ?? '', baseUrl),
    return_url: returnUrl !== null && faultOfReturnUrl(returnUrl, settings.returnUrls) === undefined ? returnUrl : null,
    reconnect,
    is_production: environment?.isProduction !== false,
  };
}

function brandRecord({ logo, ...brand }: Brand, environmentUuid: string, baseUrl: string) {
  return { ...brand, logo_url: logo && brandLogoUrl(baseUrl, environmentUuid, logo) };
}
