import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { LANGUAGE_TAGS } from '../../kit/language.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute, defineUpload } from '../../server/route.ts';
import { brandLogoUrl, isBrandName, isColor, MAX_RADIUS, THEMES, textOnColor } from '../../tenants/environments/brand.ts';
import { logoChanges, MAX_LOGO_BYTES, NO_LOGO } from '../../tenants/environments/brand-logo.ts';
import {
  type ConnectSettings,
  connectSettingsOf,
  MAX_ADDRESSES,
  updateConnectSettings,
} from '../../tenants/environments/connect-settings-store.ts';
import type { Environment } from '../../tenants/environments/environment-store.ts';
import { readOrigin } from '../../tenants/environments/origins.ts';
import { readReturnPrefix } from '../../tenants/environments/return-urls.ts';
import { environmentChanged, recordedChange } from '../dashboard/recorded-change.ts';
import { ENVIRONMENT } from '../examples.ts';
import type { ApiServices } from '../services.ts';
import { requireSettings } from '../setting-permissions.ts';

const TAG = 'Settings of an environment';

/**
 * Returns the schema of a list of addresses. They are converted to their canonical form, and duplicates are removed.
 *
 * @param read returns the canonical form; undefined for an invalid address
 */
function addresses(read: (text: string) => string | undefined, fault: string) {
  const one = z.string().refine((text) => read(text) !== undefined, fault);
  return z
    .array(one)
    .max(MAX_ADDRESSES)
    .transform((texts) => [...new Set(texts.map((text) => read(text) ?? text))]);
}

const language = z.enum(LANGUAGE_TAGS).nullable().describe('language if the application names none; null: the browser’s');

const settings = z.strictObject({
  brand_name: z.string().nullable(),
  brand_logo_url: z.string().nullable(),
  brand_color: z.string().nullable(),
  text_color: z.string().optional().describe('colour of texts on `brand_color`'),
  contrast: z.number().optional().describe('contrast of the two colours, 1 to 21'),
  brand_radius: z.int().nullable(),
  brand_theme: z.enum(THEMES),
  brand_language: language,
  allowed_origins: z
    .array(z.string())
    .describe('origins of the pages that may open the window, among those of `frame_ancestors`; empty: all of them'),
  frame_ancestors: z
    .array(z.string())
    .describe('pages that the service lets embed the window (`SVC_FRAME_ANCESTORS`), as sources of a Content-Security-Policy'),
  return_urls: z.array(z.string()).describe('URLs below which connect links may return; empty: none'),
});

const SETTINGS = {
  brand_name: 'Acme',
  brand_logo_url: `https://svc.example.com/connect/brand/${ENVIRONMENT.uuid}/${'0'.repeat(32)}.png`,
  brand_color: '#0a7d4f',
  text_color: '#ffffff',
  contrast: 5.21,
  brand_radius: 8,
  brand_theme: 'system',
  brand_language: null,
  allowed_origins: ['https://app.acme.example'],
  frame_ancestors: ["'self'", 'https://*.acme.example'],
  return_urls: ['https://app.acme.example/settings'],
} as const;

const response = { description: 'The settings.', schema: z.strictObject({ data: settings }), example: { data: SETTINGS } };

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/connect-ui',
  operationId: 'getConnectUi',
  access: { dashboard: 'read' },
  summary: 'Get the look of the pages on which end users connect, and who may open them',
  tag: TAG,
  responses: { 200: response },
  async handle(services: ApiServices, { caller }) {
    const environment = environmentInPath(caller);
    return { body: { data: await settingsIn(services, environment) } };
  },
});

const change = defineRoute({
  method: 'PATCH',
  path: '/api/ui/e/:env/connect-ui',
  operationId: 'changeConnectUi',
  access: { dashboard: 'change' },
  summary: 'Change settings of the pages, except the logo',
  tag: TAG,
  body: z.strictObject({
    brand_name: z
      .string()
      .refine(isBrandName, 'must have 1 to 100 characters, without control characters')
      .nullable()
      .exactOptional(),
    brand_color: z
      .string()
      .refine(isColor, 'must be #rrggbb, such as #0a7d4f')
      .transform((text) => text.toLowerCase())
      .nullable()
      .exactOptional(),
    brand_radius: z.int().min(0).max(MAX_RADIUS).nullable().exactOptional(),
    brand_theme: z.enum(THEMES).exactOptional(),
    brand_language: language.exactOptional(),
    allowed_origins: addresses(readOrigin, 'must be an origin such as https://app.example.com, without path').exactOptional(),
    return_urls: addresses(readReturnPrefix, 'must be an https URL (http on localhost) without query').exactOptional(),
  }),
  bodyExample: {
    brand_name: SETTINGS.brand_name,
    brand_color: SETTINGS.brand_color,
    brand_radius: SETTINGS.brand_radius,
    brand_theme: SETTINGS.brand_theme,
    brand_language: SETTINGS.brand_language,
    allowed_origins: SETTINGS.allowed_origins,
    return_urls: SETTINGS.return_urls,
  },
  responses: { 200: response },
  async handle(services: ApiServices, { body, ...by }) {
    const { caller } = by;
    const environment = environmentInPath(caller);
    const { allowedOrigins, returnUrls } = await connectSettingsOf(services.db, environment.id);
    const { allowed_origins: origins = allowedOrigins, return_urls: returns = returnUrls } = body;
    requireSettings(caller, {
      ...(!isDeepStrictEqual(origins, allowedOrigins) && { allowed_origins: origins }),
      ...(!isDeepStrictEqual(returns, returnUrls) && { return_urls: returns }),
    });
    return { body: { data: await changeSettings(services, by, { environment, changes: body }) } };
  },
});

const putLogo = defineUpload({
  method: 'PUT',
  path: '/api/ui/e/:env/connect-ui/logo',
  operationId: 'setBrandLogo',
  access: { dashboard: 'change' },
  summary: 'Upload the logo: PNG or WebP',
  tag: TAG,
  upload: { field: 'logo', maxBytes: MAX_LOGO_BYTES },
  responses: { 200: response },
  async handle(services: ApiServices, { body, ...by }) {
    const environment = environmentInPath(by.caller);
    const changes = logoChanges(body, 'the file');
    return { body: { data: await changeSettings(services, by, { environment, changes }) } };
  },
});

const removeLogo = defineRoute({
  method: 'DELETE',
  path: '/api/ui/e/:env/connect-ui/logo',
  operationId: 'deleteBrandLogo',
  access: { dashboard: 'change' },
  summary: 'Remove the logo',
  tag: TAG,
  responses: { 200: response },
  async handle(services: ApiServices, by) {
    const environment = environmentInPath(by.caller);
    return { body: { data: await changeSettings(services, by, { environment, changes: NO_LOGO }) } };
  },
});

export const connectUiRoutes = [read, change, putLogo, removeLogo];

async function changeSettings(
  services: ApiServices,
  by: Parameters<typeof recordedChange>[1],
  { environment, changes }: { readonly environment: Environment; readonly changes: Parameters<typeof updateConnectSettings>[2] },
) {
  await recordedChange(services, by, async ({ db }, record) => {
    await updateConnectSettings(db, environment.id, changes);
    await record(environmentChanged(environment, { changed: Object.keys(changes) }));
  });
  return settingsIn(services, environment);
}

async function settingsIn({ db, baseUrl, frameAncestors }: ApiServices, { id, uuid }: Environment) {
  const { brand, allowedOrigins, returnUrls }: ConnectSettings = await connectSettingsOf(db, id);
  return {
    brand_name: brand.name,
    brand_logo_url: brand.logo && brandLogoUrl(baseUrl, uuid, brand.logo),
    brand_color: brand.color,
    ...textOnColor(brand.color),
    brand_radius: brand.radius,
    brand_theme: brand.theme,
    brand_language: brand.language,
    allowed_origins: allowedOrigins,
    frame_ancestors: frameAncestors.split(' '),
    return_urls: returnUrls,
  };
}
