import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';
import { referencePage } from '../server/docs/reference/reference-page.ts';
import { openApiDocument } from '../server/openapi/document.ts';
import { fileReply, pack } from '../server/pages/packed-file.ts';
import { defineRoute, type PlainRoute, type Reply, type Route } from '../server/route.ts';

interface Description {
  readonly document: object;
  readonly page: (request: IncomingHttpHeaders) => Reply;
}

/**
 * Returns the routes that describe all routes, including themselves.
 *
 * @param listed returns all routes; called at the first request
 */
export function openApiRoutes<S extends { readonly baseUrl: string }>(listed: () => readonly Route<S>[]): PlainRoute<S>[] {
  const made = new WeakMap<S, Description>();
  const describe = (services: S): Description => {
    const known = made.get(services);
    if (known !== undefined) return known;
    const document = openApiDocument(listed(), services.baseUrl);
    const description = { document, page: kept(referencePage(document)) };
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

  const page = defineRoute({
    method: 'GET',
    path: '/docs',
    isPage: true,
    operationId: 'getDocumentation',
    access: 'public',
    tag: 'Operation',
    summary: 'The API documentation as a page',
    responses: {
      200: { description: 'The page.', type: 'text/html' },
      304: { description: 'The page has not changed since the one in `If-None-Match`.' },
    },
    handle: async (services: S, { headers }) => describe(services).page(headers),
  });

  return [json, page];
}

/** Returns a handler for a page that does not change while the service runs. */
function kept({ type = '', body, headers }: Reply): Description['page'] {
  const file = pack(type, String(body));
  // A weak tag, since it is the same for every encoding (RFC 9110 §8.8.3.3).
  const etag = `W/"${createHash('sha256').update(file.content).digest('base64url')}"`;
  return (request) => fileReply(file, request, { ...headers, etag, 'cache-control': 'no-cache' });
}
