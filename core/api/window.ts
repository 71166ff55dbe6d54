import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { ServiceError } from '../errors.ts';
import type { BuiltUi } from '../http/built-ui.ts';
import { fileReply } from '../http/packed-file.ts';
import { pagePolicy } from '../http/page-policy.ts';
import { pageWithSettings } from '../http/page-with-settings.ts';
import { defineRoute, type Reply } from '../http/route.ts';
import { refusalPage } from './result-page.ts';
import type { ApiServices } from './services.ts';

type WindowServices = Pick<ApiServices, 'ui' | 'baseUrl' | 'clientPrefix' | 'frameAncestors'>;

const PAGE = 'connect/index.html';
const SDK = 'sdk/v1.js';
const TAG = 'User interface';
/** Their names change with their content. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' };

const NOT_BUILT: Reply = {
  status: 503,
  type: 'text/plain; charset=utf-8',
  body: 'The pages of this service have not been built. Run "npm run build:ui", then start the service again.\n',
};
const NOT_BUILT_RESPONSE = { description: 'The pages have not been built.', type: 'text/plain' };

const embedded = defineRoute({
  method: 'GET',
  path: '/connect',
  isPage: true,
  operationId: 'getConnectWindow',
  access: 'public',
  errorPage: refusalPage,
  summary: 'The window in which people connect their accounts, for a frame in another page',
  tag: TAG,
  responses: { 200: { description: 'The page.', type: 'text/html' }, 503: NOT_BUILT_RESPONSE },
  handle: async (services: WindowServices) => {
    const policy = pagePolicy({ baseUri: "'self'", frameAncestors: services.frameAncestors });
    // `frame-ancestors` decides; the older header knows no list of origins.
    return page(services, { 'content-security-policy': policy, 'x-frame-options': null });
  },
});

const assets = defineRoute({
  method: 'GET',
  path: '/connect/assets/:asset',
  operationId: 'getConnectAsset',
  access: 'public',
  summary: 'A script or style sheet of the window',
  tag: TAG,
  params: z.strictObject({
    asset: z.string().meta({ description: 'its name, which the page knows', example: 'index-Dktnihs7.js' }),
  }),
  responses: {
    200: { description: 'The file.', type: 'text/javascript' },
    404: { description: 'The window has no such file.' },
    503: NOT_BUILT_RESPONSE,
  },
  handle: async ({ ui }: WindowServices, { params, headers }) => {
    if (ui === undefined) return NOT_BUILT;
    const file = ui.files.get(`connect/assets/${params.asset}`);
    if (file === undefined) throw new ServiceError('not_found', 'the window has no such file');
    return fileReply(file, headers, ASSET_HEADERS);
  },
});

const sdk = defineRoute({
  method: 'GET',
  path: '/sdk/v1.js',
  operationId: 'getFrontendSdk',
  access: 'public',
  summary: 'The SDK for pages that open the window, as a classic script',
  tag: TAG,
  responses: {
    200: {
      description: 'The script.',
      type: 'text/javascript',
      headers: {
        'Svc-Sdk-Version': 'The version of the SDK.',
        'Svc-Sdk-Integrity': 'For the attribute `integrity` of a script element; it changes with each release of the service.',
        ETag: 'For `If-None-Match`.',
      },
    },
    304: { description: 'The caller has it.' },
    503: NOT_BUILT_RESPONSE,
  },
  handle: async ({ ui }: WindowServices, { headers }) => (ui === undefined ? NOT_BUILT : sdkReply(ui, headers)),
});

const link = defineRoute({
  method: 'GET',
  path: '/connect/l',
  isPage: true,
  operationId: 'getConnectLink',
  access: 'public',
  errorPage: refusalPage,
  summary: 'The page behind a connect link: the window, in a tab of its own. The token stands in the fragment',
  tag: TAG,
  responses: { 200: { description: 'The page.', type: 'text/html' }, 503: NOT_BUILT_RESPONSE },
  handle: async (services: WindowServices) =>
    page(services, {
      'content-security-policy': pagePolicy({ baseUri: "'self'", frameAncestors: "'none'" }),
      'x-robots-tag': 'noindex',
    }),
});

export const windowRoutes = [embedded, link, assets, sdk];

function page({ ui, baseUrl, clientPrefix }: WindowServices, headers: NonNullable<Reply['headers']>): Reply {
  const file = ui?.files.get(PAGE);
  if (file === undefined) return NOT_BUILT;
  return {
    type: file.type,
    headers,
    body: pageWithSettings(file.content.toString(), {
      baseUrl,
      settings: { base_url: baseUrl, ...(clientPrefix !== undefined && { existing_clients: true }) },
    }),
  };
}

function sdkReply(ui: BuiltUi, request: IncomingHttpHeaders): Reply {
  const file = ui.files.get(SDK);
  if (file === undefined) return NOT_BUILT;
  const { version, integrity } = ui.sdk;
  // Weak: the same for every encoding (RFC 9110 §8.8.3.3).
  const etag = `W/"${integrity}"`;
  return fileReply(file, request, {
    'cache-control': 'no-cache',
    etag,
    'svc-sdk-version': version,
    'svc-sdk-integrity': integrity,
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
}
