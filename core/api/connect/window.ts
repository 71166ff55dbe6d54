import type { IncomingHttpHeaders } from 'node:http';
import type { BuiltUi } from '../../server/pages/built-ui.ts';
import { fileReply } from '../../server/pages/packed-file.ts';
import { pagePolicy } from '../../server/pages/page-policy.ts';
import { defineRoute, type Reply } from '../../server/route.ts';
import { assetsOf, builtPage, NOT_BUILT, NOT_BUILT_RESPONSE, UI_TAG as TAG } from '../built-pages.ts';
import type { ApiServices } from '../services.ts';
import { refusalPage } from './result-page.ts';

type WindowServices = Pick<ApiServices, 'ui' | 'baseUrl' | 'clientPrefix' | 'frameAncestors'>;

const PAGE = 'connect/index.html';
const SDK = 'sdk/v1.js';

const embedded = defineRoute({
  method: 'GET',
  path: '/connect',
  isPage: true,
  operationId: 'getConnectWindow',
  access: 'public',
  errorPage: refusalPage,
  summary: 'The window in which end users connect their accounts, for a frame in another page',
  tag: TAG,
  responses: { 200: { description: 'The page.', type: 'text/html' }, 503: NOT_BUILT_RESPONSE },
  handle: async (services: WindowServices) => {
    const policy = pagePolicy({ baseUri: "'self'", frameAncestors: services.frameAncestors });
    // `frame-ancestors` decides which pages may embed the window; `x-frame-options` is left out because it cannot list origins.
    return page(services, { 'content-security-policy': policy, 'x-frame-options': null });
  },
});

const sdk = defineRoute({
  method: 'GET',
  path: '/sdk/v1.js',
  operationId: 'getFrontendSdk',
  access: 'public',
  summary: 'Get the SDK for pages that open the window, as a classic script',
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
    304: { description: 'The caller has the current script.' },
    503: NOT_BUILT_RESPONSE,
  },
  handle: async ({ ui }: WindowServices, { headers }) => (ui === undefined ? NOT_BUILT : sdkReply(ui, headers)),
});

const preview = defineRoute({
  method: 'GET',
  path: '/connect/preview',
  isPage: true,
  operationId: 'getConnectPreview',
  access: 'public',
  errorPage: refusalPage,
  summary: 'A preview of the window with sample data, for the dashboard page that sets its look',
  tag: TAG,
  responses: { 200: { description: 'The page.', type: 'text/html' }, 503: NOT_BUILT_RESPONSE },
  // The preview has no session. Only the service's own pages may embed it, regardless of which pages may embed the window.
  handle: async (services: WindowServices) =>
    page(services, {
      'content-security-policy': pagePolicy({ baseUri: "'self'", frameAncestors: "'self'" }),
      'x-frame-options': 'SAMEORIGIN',
      'x-robots-tag': 'noindex',
    }),
});

const link = defineRoute({
  method: 'GET',
  path: '/connect/l',
  isPage: true,
  operationId: 'getConnectLink',
  access: 'public',
  errorPage: refusalPage,
  summary: 'The page behind a connect link: the window in a tab of its own, with the token in the URL fragment',
  tag: TAG,
  responses: { 200: { description: 'The page.', type: 'text/html' }, 503: NOT_BUILT_RESPONSE },
  handle: async (services: WindowServices) =>
    page(services, {
      'content-security-policy': pagePolicy({ baseUri: "'self'", frameAncestors: "'none'" }),
      'x-robots-tag': 'noindex',
    }),
});

export const windowRoutes = [embedded, preview, link, assetsOf('connect', 'the window'), sdk];

function page(services: WindowServices, headers: NonNullable<Reply['headers']>): Reply {
  const settings = services.clientPrefix === undefined ? {} : { existing_clients: true };
  return builtPage(services, { file: PAGE, headers, settings });
}

function sdkReply(ui: BuiltUi, request: IncomingHttpHeaders): Reply {
  const file = ui.files.get(SDK);
  if (file === undefined) return NOT_BUILT;
  const { version, integrity } = ui.sdk;
  // A weak tag, since it is the same for every encoding (RFC 9110 §8.8.3.3).
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
