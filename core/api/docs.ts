import * as z from 'zod';
import type { DocsSite } from '../server/docs/docs-site.ts';
import type { BuiltUi } from '../server/pages/built-ui.ts';
import { html, pageReply } from '../server/pages/html.ts';
import { defineRoute, type ErrorPage, type PlainRoute, type ResponseSpec } from '../server/route.ts';
import { assetsOf, NOT_BUILT, NOT_BUILT_RESPONSE } from './built-pages.ts';

export interface DocsServices {
  readonly baseUrl: string;
  readonly ui?: BuiltUi | undefined;
}

const TAG = 'Operation';
const NO_PARAMS = z.strictObject({});
const NOT_CHANGED = { description: 'The page has not changed since the one in `If-None-Match`.' };
const FOUND: Readonly<Record<number, ResponseSpec>> = {
  200: { description: 'The page.', type: 'text/html' },
  304: NOT_CHANGED,
};
const MISSING = { description: 'There is no such page.', type: 'text/html' };

const PLACE = z
  .strictObject({
    url: z.string(),
    group: z.string().optional().meta({ description: 'group of the page in the navigation' }),
    page: z.string().meta({ description: 'title of the page' }),
    section: z.string().optional().meta({ description: 'title of the section; absent for the page itself' }),
    text: z.string(),
  })
  .meta({ id: 'DocsPlace' });

/** The page for addresses below `/docs` that no route serves. */
const errorPage: ErrorPage = ({ status, message }, { requestId }) =>
  pageReply({
    title: 'svc docs',
    status,
    style: 'main { margin: 15vh auto; max-width: 32rem; padding: 0 16px; font: 16px/24px var(--font) }',
    body: html`<main><h1>svc docs</h1><p>${message}</p><p>Reference: <code>${requestId}</code></p></main>`,
  });

/** The pages by the end of their path below `/docs`, which may have one parameter. */
const PAGES = [
  { end: '', operationId: 'getDocumentation', summary: 'The first page of the documentation' },
  {
    end: '/:guide',
    operationId: 'getGuide',
    summary: 'A guide of the documentation',
    params: z.strictObject({ guide: z.string().meta({ description: 'name of the guide', example: 'webhooks' }) }),
  },
  { end: '/reference', operationId: 'getReference', summary: 'The overview of the API reference' },
  {
    end: '/reference/:resource',
    operationId: 'getReferencePage',
    summary: 'The API reference of one resource',
    params: z.strictObject({
      resource: z.string().meta({ description: 'name of the resource in lower case', example: 'connections' }),
    }),
  },
];

/** Returns the routes of the documentation. @param docsOf returns that of an instance */
export function docsRoutes<S extends DocsServices>(docsOf: (services: S) => DocsSite): PlainRoute<S>[] {
  const pages = PAGES.map(({ end, operationId, summary, params = NO_PARAMS }) =>
    defineRoute({
      method: 'GET',
      path: `/docs${end}`,
      isPage: true,
      errorPage,
      operationId,
      access: 'public',
      tag: TAG,
      summary,
      params,
      responses: { ...FOUND, ...(params !== NO_PARAMS && { 404: MISSING }), 503: NOT_BUILT_RESPONSE },
      handle: async (services: S, request) => {
        const docs = docsOf(services);
        const path = end.slice(1).replace(/:(\w+)/, (_, name: string) => String(Object(request.params)[name]));
        return docs.page(path, request.headers) ?? (services.ui === undefined ? NOT_BUILT : docs.missing());
      },
    }),
  );
  return [...pages, searchRoute(docsOf), assetsOf('docs', 'the documentation')];
}

function searchRoute<S extends DocsServices>(docsOf: (services: S) => DocsSite): PlainRoute<S> {
  return defineRoute({
    method: 'GET',
    path: '/docs/search.json',
    operationId: 'getDocsSearchIndex',
    access: 'public',
    tag: TAG,
    summary: 'What the search of the documentation finds: every page and every section',
    responses: {
      200: {
        description: 'The places, in the order of the pages.',
        schema: z.array(PLACE),
        example: [{ url: '/docs/webhooks', group: 'Build', page: 'Webhooks', text: 'Receiving and verifying messages.' }],
      },
      304: NOT_CHANGED,
    },
    handle: async (services: S, { headers }) => docsOf(services).searchIndex(headers),
  });
}
