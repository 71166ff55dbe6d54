import * as z from 'zod';
import type { ConnectSession } from '../connect-sessions/session.ts';
import { keysOf, sessionRecord } from '../connect-sessions/session-record.ts';
import { endSession } from '../connect-sessions/session-store.ts';
import { createReconnectSession, createSession, type NewSession } from '../connect-sessions/sessions.ts';
import { environmentById } from '../environments/environment-store.ts';
import { ServiceError } from '../errors.ts';
import { type Caller, environmentOf } from '../http/caller.ts';
import { defineRoute } from '../http/route.ts';
import { providersByKey } from '../integrations/integration-store.ts';
import { environmentCallback } from '../integrations/redirect-uri.ts';
import { endUserOutput } from './end-user-schemas.ts';
import { CONNECT_SESSION, INTEGRATION_KEY } from './examples.ts';
import { dateTime } from './schemas.ts';
import type { ApiServices } from './services.ts';
import { RECONNECT_BODY, readSessionBody, reconnectBody, SESSION_BODY, sessionBody } from './session-body.ts';

const SCOPE = { scope: 'environment:connect_sessions:write' } as const;
const SESSION = { session: true } as const;
const TAG = 'Connect sessions';

const created = z.strictObject({ data: z.strictObject({ token: z.string(), connect_link: z.url(), expires_at: dateTime }) });

const names = z.array(z.string());
const color = z.strictObject({ primary: z.string() });

const record = z.strictObject({
  endUser: endUserOutput.nullable(),
  connectUISettings: z.strictObject({
    showWatermark: z.boolean(),
    defaultTheme: z.enum(['system', 'light', 'dark']),
    theme: z.strictObject({ light: color, dark: color }),
  }),
  allowed_integrations: names.optional(),
  integrations_config_defaults: z
    .record(z.string(), z.strictObject({ connection_config: names, authorization_params: names.optional() }))
    .optional(),
  isReconnecting: z.literal(true).optional(),
  overrides: z.record(z.string(), z.strictObject({ docs_connect: z.string().optional() })).optional(),
  expires_at: dateTime,
  callback_url: z.url().optional().meta({ description: 'to register at providers; absent in production environments' }),
});

const RECORD = {
  endUser: { id: 'user-123', email: 'ada@example.com', display_name: 'Ada', tags: {}, organization: null },
  connectUISettings: {
    showWatermark: false,
    defaultTheme: 'system',
    theme: { light: { primary: '#00B2E3' }, dark: { primary: '#00B2E3' } },
  },
  allowed_integrations: [INTEGRATION_KEY],
  integrations_config_defaults: {
    [INTEGRATION_KEY]: { connection_config: ['subdomain'], authorization_params: ['prompt'] },
  },
  overrides: SESSION_BODY.overrides,
  expires_at: CONNECT_SESSION.expires_at,
};

const create = defineRoute({
  method: 'POST',
  path: '/connect/sessions',
  operationId: 'createConnectSession',
  access: SCOPE,
  writes: 'in-transaction',
  summary: 'Permit an end user to connect',
  tag: TAG,
  body: sessionBody,
  bodyExample: SESSION_BODY,
  responses: {
    201: { description: 'The token and the link, valid for 30 minutes.', schema: created, example: { data: CONNECT_SESSION } },
    404: { description: 'An integration does not exist.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    const allowed = body.allowed_integrations && [...new Set(body.allowed_integrations)];
    const wanted = { ...readSessionBody(body), allowedIntegrations: allowed ?? null };
    return sessionReply(services, await createSession(services, environmentOf(caller), wanted));
  },
});

const reconnect = defineRoute({
  method: 'POST',
  path: '/connect/sessions/reconnect',
  operationId: 'createReconnectSession',
  access: SCOPE,
  writes: 'in-transaction',
  summary: 'Permit an end user to reauthorize a connection; omitted values stay unchanged',
  tag: TAG,
  body: reconnectBody,
  bodyExample: RECONNECT_BODY,
  responses: {
    201: { description: 'The token and the link, valid for 30 minutes.', schema: created, example: { data: CONNECT_SESSION } },
    404: { description: 'The connection or an integration does not exist.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    const { connection_id: connectionId, integration_id: integrationId, allow_account_change, ...rest } = body;
    const allowAccountChange = allow_account_change ?? false;
    const wanted = { ...readSessionBody(rest), connectionId, integrationId, allowAccountChange };
    return sessionReply(services, await createReconnectSession(services, environmentOf(caller), wanted));
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/connect/session',
  operationId: 'getConnectSession',
  access: SESSION,
  summary: 'What the session permits',
  tag: TAG,
  responses: {
    200: {
      description: 'Preset fields are listed without their values.',
      schema: z.strictObject({ data: record }),
      example: { data: RECORD },
    },
  },
  async handle({ db, baseUrl }: ApiServices, { caller }) {
    const session = sessionOf(caller);
    const existing = await providersByKey(db, session.environmentId, keysOf(session));
    const environment = await environmentById(db, session.environmentId);
    // For trying integrations out: providers reject an unregistered callback URL without naming it.
    const hint = environment?.isProduction === false && { callback_url: environmentCallback({ baseUrl, environment }) };
    return { body: { data: { ...sessionRecord(session, (key) => existing.has(key)), ...hint } } };
  },
});

const end = defineRoute({
  method: 'DELETE',
  path: '/connect/session',
  operationId: 'endConnectSession',
  access: SESSION,
  summary: 'End the session',
  tag: TAG,
  responses: { 204: { description: 'The session has ended.' } },
  async handle(services: ApiServices, { caller }) {
    const hasEnded = await endSession(services.db, sessionOf(caller));
    if (!hasEnded) throw new ServiceError('unknown_connect_session_token', 'this connect session has just ended');
    return { status: 204 };
  },
});

export const connectSessionRoutes = [create, reconnect, read, end];

/** The token is in the fragment, which browsers never send: it stays out of logs and referrers. */
function sessionReply({ baseUrl }: ApiServices, { token, expiresAt }: NewSession) {
  const data = { token, connect_link: `${baseUrl}/connect/l#${token}`, expires_at: expiresAt.toISOString() };
  return { status: 201, body: { data } };
}

function sessionOf(caller: Caller): ConnectSession {
  if (caller.kind === 'session') return caller.session;
  throw new Error(`a caller of kind ${caller.kind} has no session`);
}
