import * as z from 'zod';
import { beginAuthorization } from '../authorization/begin.ts';
import { finishAuthorization } from '../authorization/callback.ts';
import { FlowFailure } from '../authorization/flow-failure.ts';
import { requireSession } from '../connect-sessions/sessions.ts';
import { defineRoute, type Reply } from '../http/route.ts';
import { browserIdFrom, flowCookie, newBrowserId } from './flow-cookie.ts';
import { failurePage, refusalPage, successPage } from './result-page.ts';
import { uniqueKey } from './schemas.ts';
import type { ApiServices } from './services.ts';

const TAG = 'Authorization';
const HTML = 'text/html; charset=utf-8';
/** The query of these addresses holds a token or a code. */
const PRIVATE = { 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' } as const;

const begin = defineRoute({
  method: 'GET',
  path: '/oauth/connect/:uniqueKey',
  access: 'public',
  summary: 'Send a browser to the provider',
  tag: TAG,
  params: z.strictObject({ uniqueKey }),
  query: z.strictObject({
    connect_session_token: z.string().min(1).max(255),
    params: z.record(z.string(), z.string().max(4096)).optional().describe('connection configuration: `params[field]=value`'),
  }),
  responses: {
    302: { description: 'To the provider’s authorization page.' },
    400: { description: 'Something is missing or not allowed.' },
    401: { description: 'The session has ended or never was.' },
    404: { description: 'There is no such integration.' },
  },
  errorPage: (error, requestId) => withPrivacy(refusalPage(error, requestId)),
  async handle(services: ApiServices, { params, query, headers }) {
    const browserId = browserIdFrom(headers.cookie, services.baseUrl) ?? newBrowserId();
    const session = await requireSession(services, query.connect_session_token);
    const request = { session, uniqueKey: params.uniqueKey, params: query.params ?? {}, browserId };
    const location = await beginAuthorization(services, request);
    return { status: 302, headers: { ...PRIVATE, location, 'set-cookie': flowCookie(browserId, services.baseUrl) } };
  },
});

const callback = defineRoute({
  method: 'GET',
  path: '/oauth/callback',
  access: 'public',
  summary: 'Where the provider sends the browser back',
  tag: TAG,
  query: z.record(z.string(), z.unknown()),
  responses: {
    200: { description: 'Connected.', type: HTML },
    400: { description: 'Not connected, and why in one sentence.', type: HTML },
  },
  errorPage: (error, requestId) => withPrivacy(refusalPage(error, requestId)),
  async handle(services: ApiServices, { query, headers }) {
    try {
      const browserId = browserIdFrom(headers.cookie, services.baseUrl);
      return withPrivacy(successPage(await finishAuthorization(services, { query: texts(query), browserId })));
    } catch (error) {
      if (error instanceof FlowFailure) return withPrivacy(failurePage(error));
      throw error;
    }
  },
});

export const authorizeRoutes = [begin, callback];

function withPrivacy(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, ...PRIVATE } };
}

/** Providers add members of their own; one that is given twice or nested is none (RFC 6749 §3.1). */
function texts(query: Readonly<Record<string, unknown>>): Record<string, string> {
  const entries = Object.entries(query).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
  return Object.fromEntries(entries);
}
