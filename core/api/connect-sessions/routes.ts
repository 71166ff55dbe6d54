import * as z from 'zod';
import { justEnded } from '../../connections/connect-sessions/session-end.ts';
import { withdrawSession } from '../../connections/connect-sessions/session-store.ts';
import { createReconnectSession, createSession, type NewSession } from '../../connections/connect-sessions/sessions.ts';
import { recordAudit } from '../../journal/audit-trail/record.ts';
import { type Caller, environmentOf } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { auditContext } from '../audit-context.ts';
import { CONNECT_SESSION } from '../examples.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { requireHosts, requireSettings } from '../setting-permissions.ts';
import { CONNECT_SESSION_RECORD, connectSession, connectSessionRecord } from './connect-session-record.ts';
import { RECONNECT_BODY, readSessionBody, reconnectBody, SESSION_BODY, sessionBody } from './session-body.ts';
import { sessionOf } from './session-of.ts';

const SCOPE = { scope: 'environment:connect_sessions:write', inDashboard: true } as const;
const SESSION = { session: true } as const;
const TAG = 'Connect sessions';

const newSession = z
  .strictObject({ token: z.string(), connect_link: z.url(), expires_at: dateTime })
  .meta({ id: 'ConnectSession' });
const created = z.strictObject({ data: newSession });

const create = defineRoute({
  method: 'POST',
  path: '/connect/sessions',
  operationId: 'createConnectSession',
  access: SCOPE,
  writes: 'in-transaction',
  summary: 'Create a connect session for an end user',
  tag: TAG,
  body: sessionBody,
  bodyExample: SESSION_BODY,
  responses: {
    201: { description: 'The token and the link, valid for 30 minutes.', schema: created, example: { data: CONNECT_SESSION } },
    404: { description: 'One of the integrations does not exist.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    const allowed = body.allowed_integrations && [...new Set(body.allowed_integrations)];
    const wanted = { ...readSessionBody(body), allowedIntegrations: allowed ?? null };
    await requireGuarded(services, caller, wanted);
    return sessionReply(services, await createSession(services, environmentOf(caller), wanted));
  },
});

const reconnect = defineRoute({
  method: 'POST',
  path: '/connect/sessions/reconnect',
  operationId: 'createReconnectSession',
  access: SCOPE,
  writes: 'in-transaction',
  summary: 'Create a session in which an end user reauthorizes a connection; omitted values stay unchanged',
  tag: TAG,
  body: reconnectBody,
  bodyExample: RECONNECT_BODY,
  responses: {
    201: { description: 'The token and the link, valid for 30 minutes.', schema: created, example: { data: CONNECT_SESSION } },
    404: { description: 'The connection or one of the integrations does not exist.' },
  },
  async handle(services: ApiServices, { caller, address, body }) {
    const { connection_id: connectionId, integration_id: integrationId, allow_account_change, ...rest } = body;
    const allowAccountChange = allow_account_change ?? false;
    const wanted = { ...readSessionBody(rest), connectionId, integrationId, allowAccountChange };
    await requireGuarded(services, caller, wanted);
    const session = await createReconnectSession(services, environmentOf(caller), wanted);
    // Only members' requests are recorded: an application creates such a session whenever a user has to sign in again, whereas a
    // member could connect an account of their own in place of the user's.
    if ('member' in caller) {
      const subject = { type: 'connection', id: connectionId } as const;
      const facts = { integration: integrationId, allow_account_change: allowAccountChange };
      await recordAudit(services, { ...auditContext({ caller, address }), action: 'connection.reconnect_link', subject, facts });
    }
    return sessionReply(services, session);
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/connect/session',
  operationId: 'getConnectSession',
  access: SESSION,
  summary: 'Get the connect session',
  tag: TAG,
  responses: {
    200: {
      description: 'The session. Preset fields are listed without their values.',
      schema: z.strictObject({ data: connectSession }),
      example: { data: CONNECT_SESSION_RECORD },
    },
  },
  async handle(services: ApiServices, { caller }) {
    return { body: { data: await connectSessionRecord(services, sessionOf(caller)) } };
  },
});

const end = defineRoute({
  method: 'DELETE',
  path: '/connect/session',
  operationId: 'endConnectSession',
  access: SESSION,
  summary: 'End the connect session',
  tag: TAG,
  responses: { 204: { description: 'The session has ended.' } },
  async handle(services: ApiServices, { caller }) {
    const session = sessionOf(caller);
    if (!(await withdrawSession(services.db, session))) throw await justEnded(services.db, session);
    return { status: 204 };
  },
});

export const connectSessionRoutes = [create, reconnect, read, end];

/**
 * Returns the response with the new session. The link carries the token in its fragment, which browsers never send, so the token
 * stays out of logs and referrers.
 */
function sessionReply({ baseUrl }: ApiServices, { token, expiresAt }: NewSession) {
  const data = { token, connect_link: `${baseUrl}/connect/l#${token}`, expires_at: expiresAt.toISOString() };
  return { status: 201, body: { data } };
}

/**
 * Checks that the caller may set those fields of a session that decide where credentials, tokens and webhooks are sent.
 *
 * @throws ServiceError `forbidden` if a member's role does not permit it, `password_needed` if the member has to confirm who they
 *   are first
 */
async function requireGuarded(
  services: ApiServices,
  caller: Caller,
  { attributes, presets }: ReturnType<typeof readSessionBody>,
): Promise<void> {
  const apps = Object.values(presets).flatMap(({ ownApp }) => ownApp ?? []);
  requireSettings(caller, {
    webhook_url_override: attributes.webhookUrlOverride,
    ...(apps.length > 0 && { oauth_app: apps }),
  });
  const configs = Object.entries(presets).map(([key, { connectionConfig }]) => [key, connectionConfig] as const);
  await requireHosts(services, caller, Object.fromEntries(configs));
}
