import * as z from 'zod';
import { DocsSite } from '../server/docs/docs-site.ts';
import { openApiDocument } from '../server/openapi/document.ts';
import { defineRoute, type PlainRoute, type Route } from '../server/route.ts';
import { type DocsServices, docsRoutes } from './docs.ts';

interface Description {
  readonly document: object;
  readonly docs: DocsSite;
}

/**
 * Returns the routes that describe all routes, including themselves, to programs and to people.
 *
 * @param listed returns all routes; called at the first request
 */
export function openApiRoutes<S extends DocsServices>(listed: () => readonly Route<S>[]): PlainRoute<S>[] {
  const made = new WeakMap<S, Description>();
  const describe = (services: S): Description => {
    const known = made.get(services);
    if (known !== undefined) return known;
    const document = openApiDocument(listed(), services.baseUrl);
    const description = { document, docs: new DocsSite(document, services) };
    made.set(services, description);
    return description;
  };

  const json = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    access: 'public',
    tag: 'Operation',
    summary: 'Get the API as an OpenAPI 3.1.0 document',
    responses: {
      200: {
        description: 'The document.',
        schema: z.looseObject({ openapi: z.literal('3.1.0') }),
        example: { openapi: '3.1.0', info: { title: 'svc', version: '1.0.0' } },
      },
    },
    handle: async (services: S) => ({ body: describe(services).document }),
  });

  return [json, ...docsRoutes((services: S) => describe(services).docs)];
}
