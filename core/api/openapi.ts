import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { type Encoding, preferredEncoding } from '../http/built-ui.ts';
import { defineRoute, type PlainRoute, type Reply, type Route } from '../http/route.ts';
import { openApiDocument } from '../openapi/document.ts';
import { referencePage } from '../openapi/reference/reference-page.ts';

const PACK: Readonly<Record<Encoding, (text: string) => Buffer>> = {
  br: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (text) => gzipSync(text),
};

interface Description {
  readonly document: object;
  readonly page: PackedPage;
}

/** The routes that describe all routes, themselves included. `listed` is called at the first request. */
export function openApiRoutes<S extends { readonly baseUrl: string }>(listed: () => readonly Route<S>[]): PlainRoute<S>[] {
  const made = new WeakMap<S, Description>();
  const describe = (services: S): Description => {
    const known = made.get(services);
    if (known !== undefined) return known;
    const document = openApiDocument(listed(), services.baseUrl);
    const description = { document, page: tagged(referencePage(document)) };
    made.set(services, description);
    return description;
  };

  const json = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    access: 'public',
    tag: 'Operation',
    summary: 'The API as an OpenAPI 3.1.0 document',
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
      304: { description: 'The page is the one that `If-None-Match` names.' },
    },
    handle: async (services: S, { headers }) => unlessKnown(describe(services).page, headers),
  });

  return [json, page];
}

interface PackedPage {
  readonly page: Reply;
  /** Each form once it was asked for. */
  readonly packed: Map<Encoding, Buffer>;
}

/** A page that stays what it is until the service is replaced. */
function tagged(page: Reply): PackedPage {
  const digest = createHash('sha256').update(String(page.body)).digest('base64url');
  // Weak: the same for every encoding (RFC 9110 §8.8.3.3).
  const headers = { ...page.headers, etag: `W/"${digest}"`, 'cache-control': 'no-cache', vary: 'accept-encoding' };
  return { page: { ...page, headers }, packed: new Map() };
}

/** RFC 9110 §13.1.2 */
function unlessKnown({ page, packed }: PackedPage, headers: IncomingHttpHeaders): Reply {
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  if (tags.includes(String(page.headers?.['etag']))) return { status: 304, headers: page.headers ?? {} };
  const encoding = preferredEncoding(headers['accept-encoding']);
  if (encoding === undefined) return page;
  const body = packed.get(encoding) ?? PACK[encoding](String(page.body));
  packed.set(encoding, body);
  return { ...page, body, headers: { ...page.headers, 'content-encoding': encoding } };
}
