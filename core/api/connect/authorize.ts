import * as z from 'zod';
import { beginAuthorization } from '../../connect/flows/begin.ts';
import { finishAuthorization } from '../../connect/flows/callback.ts';
import { refusalFrame } from '../../connect/flows/client-frames.ts';
import { FlowFailure } from '../../connect/flows/flow-failure.ts';
import { repeatOutcome, type Visited } from '../../connect/flows/flow-outcome.ts';
import { successOf } from '../../connect/flows/flow-store.ts';
import type { SessionCaller } from '../../connections/connect-sessions/session-caller.ts';
import { type Audience, audienceOf } from '../../connections/connect-sessions/session-record.ts';
import { ServiceError } from '../../errors.ts';
import type { Caller } from '../../server/access/caller.ts';
import { requireLive } from '../../server/access/live-session.ts';
import { PREFETCHED } from '../../server/prefetch.ts';
import { textsIn } from '../../server/query.ts';
import { type BrowserVisit, defineRoute, type Reply, type RouteRequest } from '../../server/route.ts';
import { connectSettingsOf } from '../../tenants/environments/connect-settings-store.ts';
import { FLOW_ID } from '../examples.ts';
import { uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { BROWSER, browserQuery, sessionOfBrowser } from './browser.ts';
import { browserIdsFrom, flowCookie, newBrowserId, newFlowCookies } from './flow-cookie.ts';
import { PRIVATE } from './private-headers.ts';
import { failurePage, refusalPage, successPage } from './result-page.ts';

const TAG = 'Authorization';
const CLIENT_ID = 'b7f7f3c0-95d1-4b0c-8a55-6f3f6f9f6f11';
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const HTML = 'text/html; charset=utf-8';

/**
 * Parameters that only the application's backend may set. Unknown parameters are ignored, since mail programs, for instance, add
 * some to links.
 */
const BACKEND_ONLY = [
  'tags',
  'end_user',
  'allowed_integrations',
  'webhook_url',
  'webhook_url_override',
  'base_url',
  'redirect_uri',
  'state',
  'scope',
  'scopes',
  'user_scopes',
  'authorization_params',
  'connection_config',
  'integration_config',
  'credentials',
];

const flowId = z
  .uuid()
  .optional()
  .meta({
    description:
      'new UUID that identifies the flow: where the provider lists several accounts, a user interface can then let the user choose; ' +
      'see `GET /connect/flows/{flow_id}/choice`',
    example: FLOW_ID,
  });

const clientId = z.uuid().optional().meta({
  description: 'for existing frontends: the ID that they received through the WebSocket on which they wait for the result',
  example: CLIENT_ID,
});

const beginQuery = browserQuery
  .extend({ flow_id: flowId, ws_client_id: clientId })
  .loose()
  .superRefine((query, context) => {
    for (const name of BACKEND_ONLY)
      if (Object.hasOwn(query, name))
        context.addIssue({ code: 'custom', path: [name], message: 'can only be set by the backend when it creates the session' });
  });

const begin = defineRoute({
  method: 'GET',
  path: '/oauth/connect/:uniqueKey',
  operationId: 'startAuthorization',
  access: { ...BROWSER, evenEnded: true },
  isPage: true,
  hasEffects: true,
  summary: 'Redirect a browser to the provider’s authorization page',
  tag: TAG,
  params: z.strictObject({ uniqueKey }),
  query: beginQuery,
  responses: {
    200: { description: 'The account was already connected in this session.', type: HTML },
    204: PREFETCHED,
    302: { description: 'Redirect to the provider’s authorization page.' },
    400: { description: 'Something is missing or not allowed.' },
    404: { description: 'There is no such integration, or the connection to reauthorize has been deleted.' },
    409: {
      description:
        'The session already has a flow with this ID. In deprecated requests: a connection with this ID exists, and only a signed ' +
        'request may reauthorize it.',
    },
    503: { description: 'The provider could not be reached; in some modes, the service contacts it first.' },
  },
  onRefusal: ({ clientChannels }: ApiServices, cause, { params: { uniqueKey = '' }, target }) => {
    const id = clientChannels && clientIdIn(target);
    // The refusal is also sent to the existing frontend's WebSocket, which may be at another instance. A client that sends too
    // many requests is sent nothing, so that it causes no work there.
    if (id !== undefined && !isTooMany(cause)) void clientChannels?.refuse(id, refusalFrame(uniqueKey, cause));
  },
  errorPage: (error, visit) =>
    withPrivacy(refusalPage(error, { ...visit, audience: error instanceof RefusedRedirect ? error.audience : undefined })),
  handle: (services: ApiServices, request) =>
    redirect(services, request).catch((error: unknown) => {
      throw request.caller.kind === 'session' && error instanceof ServiceError
        ? new RefusedRedirect(error, audienceOf(request.caller.session))
        : error;
    }),
});

interface AuthorizeRequest {
  readonly caller: Caller;
  readonly params: { readonly uniqueKey: string };
  readonly query: z.output<typeof browserQuery> & {
    readonly flow_id?: string | undefined;
    readonly ws_client_id?: string | undefined;
  };
  readonly headers: RouteRequest<unknown, unknown, unknown>['headers'];
}

async function redirect(services: ApiServices, { caller, params, query, headers }: AuthorizeRequest): Promise<Reply> {
  const connected = caller.kind === 'session' ? await connectedBefore(services, caller, headers) : undefined;
  if (connected !== undefined) return connected;
  const [known] = browserIdsFrom(headers.cookie, services.baseUrl);
  const browserId = known ?? newBrowserId();
  const session = await sessionOfBrowser(services, caller, { uniqueKey: params.uniqueKey, query });
  const request = {
    session,
    uniqueKey: params.uniqueKey,
    params: query.params ?? {},
    browserId,
    ...(caller.kind === 'session' && { flowId: query.flow_id }),
    ...(services.clientChannels !== undefined && { clientId: query.ws_client_id }),
  };
  const location = await beginAuthorization(services, request);
  const cookies = known === undefined ? newFlowCookies(browserId, services.baseUrl) : flowCookie(browserId, services.baseUrl);
  return { status: 302, headers: { ...PRIVATE, location, 'set-cookie': cookies } };
}

/**
 * Returns the success page of the flow that used up the session, so that a second tab with the same link does not report an
 * expired link. Undefined while the session is valid.
 *
 * @throws ServiceError `unknown_connect_session_token` if the session has ended in another way
 */
async function connectedBefore(
  { db }: ApiServices,
  caller: SessionCaller,
  headers: AuthorizeRequest['headers'],
): Promise<Reply | undefined> {
  const outcome = caller.ended === undefined ? undefined : await successOf(db, caller.session);
  if (outcome === undefined) {
    requireLive(caller);
    return undefined;
  }
  return withPrivacy(successPage(repeatOutcome(outcome), { acceptLanguage: headers['accept-language'] }));
}

/** Returns the ID of an existing frontend's WebSocket from the URL of a refused request, whose query may not fit its schema. */
function clientIdIn(target: string): string | undefined {
  const id = new URLSearchParams(target.split('?')[1]).get('ws_client_id');
  return id !== null && UUID.test(id) ? id : undefined;
}

/** A refusal with the same code and message as its cause, and with the session's end user, whom the error page names. */
class RefusedRedirect extends ServiceError {
  readonly audience: Audience;

  constructor(cause: ServiceError, audience: Audience) {
    const { code, message, details, retryAfterSeconds } = cause;
    super(code, message, { cause, details, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
    this.audience = audience;
  }
}

const CALLBACK = {
  method: 'GET',
  access: 'public',
  isPage: true,
  hasEffects: true,
  tag: TAG,
  query: z.record(z.string(), z.unknown()),
  responses: {
    200: { description: 'Connected.', type: HTML },
    204: PREFETCHED,
    303: { description: 'Redirect to the page where the flow began.' },
    400: { description: 'Not connected. The page gives the reason in one sentence.', type: HTML },
  },
  errorPage: (error: ServiceError, visit: BrowserVisit) => withPrivacy(refusalPage(error, visit)),
} as const;

const callback = defineRoute({
  ...CALLBACK,
  path: '/oauth/callback',
  operationId: 'finishAuthorization',
  summary: 'Callback URL, to which providers redirect browsers',
  handle: (services: ApiServices, request) => finish(services, request),
});

const ownCallback = defineRoute({
  ...CALLBACK,
  path: '/oauth/callback/:uniqueKey',
  operationId: 'finishAuthorizationOfIntegration',
  summary: 'Callback URL of an integration that has its own (`integration_config.own_callback`)',
  params: z.strictObject({ uniqueKey }),
  handle: (services: ApiServices, request) => finish(services, request, request.params.uniqueKey),
});

const afterInstallation = defineRoute({
  ...CALLBACK,
  path: '/app-auth/connect',
  operationId: 'finishInstallation',
  summary: 'Callback URL for providers whose apps are installed',
  handle: (services: ApiServices, request) => finish(services, request),
});

export const authorizeRoutes = [begin, callback, ownCallback, afterInstallation];

type CallbackRequest = Pick<RouteRequest<unknown, Readonly<Record<string, unknown>>, unknown>, 'query' | 'headers'>;

async function finish(services: ApiServices, { query, headers }: CallbackRequest, callbackKey?: string): Promise<Reply> {
  const { baseUrl } = services;
  const browserIds = browserIdsFrom(headers.cookie, baseUrl);
  const visited = await finishAuthorization(services, { query: textsIn(query), browserIds, callbackKey });
  const { mode, result } = visited;
  // The page where the flow began shows the result, since it knows its flow. Without the empty fragment the browser would append
  // the fragment of the callback (Fetch standard, "location URL"), which the page would read as the token of another connect
  // link.
  if (mode === 'redirect') return withPrivacy({ status: 303, headers: { location: `${baseUrl}/connect/l#` } });
  const showing = { acceptLanguage: headers['accept-language'], popup: await popupOf(services, visited) };
  return withPrivacy(result instanceof FlowFailure ? failurePage(result, showing) : successPage(result, showing));
}

/** Returns what the result page needs in a window that was opened by another page; undefined in any other window. */
async function popupOf({ baseUrl, db, clientPrefix: prefix }: ApiServices, { mode, environmentId }: Visited) {
  const folder = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/connect`;
  if (mode === 'popup') return { scriptUrl: `${folder}/result.js` };
  if (mode !== 'client' || prefix === undefined || environmentId === undefined) return undefined;
  const { allowedOrigins: origins } = await connectSettingsOf(db, environmentId);
  return { scriptUrl: `${folder}/client.js`, client: { prefix, origins } };
}

function isTooMany(cause: unknown): boolean {
  return cause instanceof ServiceError && cause.code === 'too_many_request';
}

function withPrivacy(reply: Reply): Reply {
  return { ...reply, headers: { ...reply.headers, ...PRIVATE } };
}
