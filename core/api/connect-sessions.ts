import * as z from 'zod';
import type { ConnectSession } from '../connect-sessions/session.ts';
import { endSession } from '../connect-sessions/session-store.ts';
import { createReconnectSession, createSession, type NewSession } from '../connect-sessions/sessions.ts';
import { readTags } from '../connections/tags.ts';
import { type Caller, environmentOf } from '../http/caller.ts';
import { defineRoute } from '../http/route.ts';
import { boundedObject, dateTime, tagsShape, uniqueKey } from './schemas.ts';
import type { ApiServices } from './services.ts';

const SCOPE = { scope: 'environment:connect_sessions:write' } as const;
const SESSION = { session: true } as const;
const TAG = 'Connect sessions';

const created = z.strictObject({ data: z.strictObject({ token: z.string(), connect_link: z.url(), expires_at: dateTime }) });

const create = defineRoute({
  method: 'POST',
  path: '/connect/sessions',
  access: SCOPE,
  summary: 'Permit an end user to connect',
  tag: TAG,
  body: z.strictObject({
    tags: tagsShape.optional(),
    allowed_integrations: z.array(uniqueKey).max(1000).optional(),
    integrations_config_defaults: z.record(uniqueKey, z.strictObject({ connection_config: boundedObject.optional() })).optional(),
  }),
  responses: {
    201: { description: 'The token and the link, valid for 30 minutes.', schema: created },
    404: { description: 'An integration does not exist.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    const allowed = body.allowed_integrations ?? [];
    const defaults = Object.entries(body.integrations_config_defaults ?? {});
    const session = await createSession(services, environmentOf(caller), {
      tags: readTags(body.tags ?? {}, { code: 'invalid_body', path: ['tags'] }),
      allowedIntegrations: allowed.length === 0 ? null : allowed,
      defaults: Object.fromEntries(defaults.map(([key, { connection_config = {} }]) => [key, connection_config])),
    });
    return sessionReply(services, session);
  },
});

const reconnect = defineRoute({
  method: 'POST',
  path: '/connect/sessions/reconnect',
  access: SCOPE,
  summary: 'Permit an end user to authorize a connection again',
  tag: TAG,
  body: z.strictObject({ connection_id: z.string().min(1).max(255), integration_id: uniqueKey }),
  responses: {
    201: { description: 'The token and the link, valid for 30 minutes.', schema: created },
    404: { description: 'The connection or its integration does not exist.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    const wanted = { connectionId: body.connection_id, integrationId: body.integration_id };
    return sessionReply(services, await createReconnectSession(services, environmentOf(caller), wanted));
  },
});

const read = defineRoute({
  method: 'GET',
  path: '/connect/session',
  access: SESSION,
  summary: 'What the session permits',
  tag: TAG,
  responses: {
    200: {
      description: 'Preset fields are named; their values stay here.',
      schema: z.strictObject({
        data: z.strictObject({
          allowed_integrations: z.array(z.string()).optional(),
          integrations_config_defaults: z.record(z.string(), z.strictObject({ connection_config: z.array(z.string()) })),
          isReconnecting: z.literal(true).optional(),
          end_user_display_name: z.string().optional(),
          end_user_email: z.string().optional(),
          expires_at: dateTime,
        }),
      }),
    },
  },
  async handle(_: ApiServices, { caller }) {
    return { body: { data: sessionRecord(sessionOf(caller)) } };
  },
});

const end = defineRoute({
  method: 'DELETE',
  path: '/connect/session',
  access: SESSION,
  summary: 'End the session',
  tag: TAG,
  responses: { 204: { description: 'It has ended.' } },
  async handle(services: ApiServices, { caller }) {
    await endSession(services.db, sessionOf(caller));
    return { status: 204 };
  },
});

export const connectSessionRoutes = [create, reconnect, read, end];

/** The token stands in the fragment, which browsers never send: it stays out of logs and referrers. */
function sessionReply({ baseUrl }: ApiServices, { token, expiresAt }: NewSession) {
  const data = { token, connect_link: `${baseUrl}/connect/l#${token}`, expires_at: expiresAt.toISOString() };
  return { status: 201, body: { data } };
}

function sessionRecord(session: ConnectSession): Record<string, unknown> {
  const presets = Object.entries(session.defaults).map(([key, config]) => [key, { connection_config: Object.keys(config) }]);
  const { end_user_display_name: displayName, end_user_email: email } = session.tags;
  return {
    ...(session.allowedIntegrations !== null && { allowed_integrations: session.allowedIntegrations }),
    integrations_config_defaults: Object.fromEntries(presets),
    ...(session.reconnectId !== null && { isReconnecting: true }),
    ...(displayName !== undefined && { end_user_display_name: displayName }),
    ...(email !== undefined && { end_user_email: email }),
    expires_at: session.expiresAt.toISOString(),
  };
}

function sessionOf(caller: Caller): ConnectSession {
  if (caller.kind === 'session') return caller.session;
  throw new Error(`a caller of kind ${caller.kind} has no session`);
}
