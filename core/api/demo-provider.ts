import * as z from 'zod';
import { textsIn } from '../server/query.ts';
import { defineRaw, defineRoute } from '../server/route.ts';
import { refusalPage } from './connect/result-page.ts';
import type { ApiServices } from './services.ts';

const PATH = '/sandbox/authorize';
const COMMON = { path: PATH, access: 'public', tag: 'Sandbox', errorPage: refusalPage } as const;
const HTML = 'text/html; charset=utf-8';
const MAX_BODY_BYTES = 16 * 1024;

const show = defineRoute({
  ...COMMON,
  method: 'GET',
  operationId: 'showSandboxAuthorization',
  isPage: true,
  summary: 'Authorization page of the sandbox (RFC 6749 §4.1.1)',
  query: z.record(z.string(), z.unknown()),
  responses: {
    200: { description: 'The page.', type: HTML },
    303: { description: 'Redirect to the callback, with an error.' },
    400: { description: 'The service did not send the browser here.', type: HTML },
  },
  handle: ({ demoProvider }: ApiServices, { query }) => demoProvider.show(new URLSearchParams(textsIn(query))),
});

const decide = defineRaw({
  ...COMMON,
  method: 'POST',
  operationId: 'decideSandboxAuthorization',
  summary: 'Submit the user’s decision on the authorization page of the sandbox',
  params: z.strictObject({}),
  query: z.strictObject({}),
  bodyExample: 'request=sandbox_request_example&person=ada&decision=allow',
  maxBodyBytes: MAX_BODY_BYTES,
  responses: {
    303: { description: 'Redirect to the callback, with a code or an error.' },
    400: { description: 'The user name or the password is wrong, or the page has expired.', type: HTML },
  },
  handle: async ({ demoProvider }: ApiServices, { body: request }) => {
    const { bytes } = await request.readBody();
    return demoProvider.decide({ form: new URLSearchParams(bytes.toString('utf8')), site: request.headers['sec-fetch-site'] });
  },
});

/**
 * The routes of the sandbox that a browser visits. Its other addresses are called only by the service itself, without a network
 * call (`kit/outbound-inside.ts`).
 */
export const sandboxRoutes = [show, decide];
