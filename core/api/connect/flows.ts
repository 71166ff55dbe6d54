import * as z from 'zod';
import { followFlow } from '../../connect/flows/follow-flow.ts';
import { type FollowedFlow, findFollowedFlow } from '../../connect/flows/followed-flow.ts';
import { beginFlow, endFlow, unknownFlow } from '../../connect/flows/window-flow.ts';
import type { ConnectSession } from '../../connections/connect-sessions/session.ts';
import { ServiceError } from '../../errors.ts';
import { requireLive } from '../../server/access/live-session.ts';
import { defineRoute } from '../../server/route.ts';
import { sessionCallerOf, sessionOf } from '../connect-sessions/session-of.ts';
import { FLOW_ID, INTEGRATION_KEY } from '../examples.ts';
import { uniqueKey } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { FAILED_FLOW_EXAMPLE, FLOW_EXAMPLE, flow, flowBody, flowId } from './flow-schemas.ts';

/** A user interface may ask how its own flow ended, even when the session has ended with it. */
const FLOW = { access: { session: true, evenEnded: true }, tag: 'Authorization' } as const;
const ONE = { ...FLOW, path: '/connect/flows/:flow_id', params: z.strictObject({ flow_id: flowId }) } as const;
const NOT_FOUND = { 404: { description: 'The session has no such flow.' } } as const;
const BUSY_SECONDS = 5;

const MAX_FIELDS = 100;
const texts = z
  .record(z.string().max(255), z.string().max(16_384))
  .refine((values) => Object.keys(values).length <= MAX_FIELDS, `may have at most ${MAX_FIELDS} members`);
const response = z.strictObject({ data: flow });

const begin = defineRoute({
  ...FLOW,
  method: 'POST',
  path: '/connect/flows',
  operationId: 'beginFlow',
  summary: 'Begin to connect an account',
  body: z
    .strictObject({
      id: flowId,
      integration_id: uniqueKey,
      launch_id: z
        .string()
        .regex(/^[A-Za-z0-9_-]{22,64}$/)
        .optional()
        .meta({
          description:
            'at least 128 random bits, made by the user interface, which opens `/connect/launch#<launch_id>` in the click itself; ' +
            'required where the user signs in at the provider',
          example: 'Zk3mB1pQ9xTt6Yc0aHs4vQ',
        }),
      mode: z.enum(['popup', 'redirect']).default('popup').meta({
        description: '`redirect`: the provider’s page takes the place of the page where the flow begins, and leads back to it',
      }),
      params: texts.optional().meta({ description: 'connection configuration', example: { subdomain: 'acme' } }),
      credentials: texts
        .optional()
        .meta({ description: 'what the user has entered, by field', example: { apiKey: 'example-api-key' } }),
    })
    .meta({ id: 'FlowRequest' }),
  bodyExample: { id: FLOW_ID, integration_id: INTEGRATION_KEY, launch_id: 'Zk3mB1pQ9xTt6Yc0aHs4vQ' },
  responses: {
    201: {
      description:
        'The flow. With entered credentials it has ended, or waits for a choice; faults in what was entered are part of it. The ' +
        'same request again is the same flow.',
      schema: response,
      example: { data: { ...FLOW_EXAMPLE, state: 'created', version: 1, account: null } },
    },
    400: { description: 'Something is missing, or the session does not allow the integration.' },
    404: { description: 'There is no such integration, or the connection to reauthorize has been deleted.' },
    409: { description: 'The session has another flow of this ID, or the launch ID was used before.' },
  },
  async handle(services: ApiServices, { caller, body }) {
    const known = sessionCallerOf(caller);
    const { id, integration_id: key, launch_id: launchId, mode, params = {}, credentials } = body;
    const request = { flowId: id, uniqueKey: key, launchId, mode, params, credentials, requireLive: () => requireLive(known) };
    return { status: 201, body: { data: shown(services, await beginFlow(services, known.session, request)) } };
  },
});

const read = defineRoute({
  ...ONE,
  method: 'GET',
  operationId: 'getFlow',
  summary: 'How far a flow is',
  responses: { 200: { description: 'The flow.', schema: response, example: { data: FAILED_FLOW_EXAMPLE } }, ...NOT_FOUND },
  async handle(services: ApiServices, { caller, params }) {
    return { body: { data: shown(services, await requireFlow(services, sessionOf(caller), params.flow_id)) } };
  },
});

const cancel = defineRoute({
  ...ONE,
  method: 'DELETE',
  operationId: 'cancelFlow',
  summary: 'Cancel a flow, unless it has ended',
  responses: { 204: { description: 'It makes no connection any more, if it has made none.' }, ...NOT_FOUND },
  async handle(services: ApiServices, { caller, params }) {
    await endFlow(services, sessionOf(caller), params.flow_id);
    return { status: 204 };
  },
});

const follow = defineRoute({
  ...ONE,
  method: 'GET',
  path: '/connect/flows/:flow_id/events',
  operationId: 'followFlow',
  summary: 'Follow a flow until it has ended',
  responses: {
    200: {
      description:
        'Server-sent events: the flow as it is, unless `Last-Event-ID` is its version, then each change. `event: flow`, `id` is the ' +
        'version, `data` the flow as JSON. A comment every 15 seconds. Ends after a final state.',
      type: 'text/event-stream',
    },
    ...NOT_FOUND,
    429: { description: 'The session has too many of these open.' },
  },
  async handle(services: ApiServices, { caller, params, headers }) {
    const session = sessionOf(caller);
    const known = await requireFlow(services, session, params.flow_id);
    const { flowWatcher: watcher } = services;
    if (!watcher.hasRoom(session)) throw tooMany();
    const version = versionIn(headers['last-event-id']);
    return {
      type: 'text/event-stream',
      // Tells nginx not to wait until its buffer is full.
      headers: { 'x-accel-buffering': 'no' },
      async *stream(ended) {
        for await (const present of followFlow(services, { session, flow: known }, { watcher, version, ended }))
          yield present === undefined ? ':\n\n' : event(services, present);
      },
    };
  },
});

export const flowRoutes = [begin, read, cancel, follow];

function event(services: ApiServices, present: FollowedFlow): string {
  return `id: ${present.version}\nevent: flow\ndata: ${JSON.stringify(shown(services, present))}\n\n`;
}

function shown({ clientPrefix }: ApiServices, present: FollowedFlow): Record<string, unknown> {
  return flowBody(present, clientPrefix !== undefined);
}

async function requireFlow(services: ApiServices, session: ConnectSession, id: string): Promise<FollowedFlow> {
  const found = await findFollowedFlow(services, session, id);
  if (found === undefined) throw unknownFlow();
  return found;
}

function versionIn(header: string | string[] | undefined): number | undefined {
  return typeof header === 'string' && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}

function tooMany(): ServiceError {
  return new ServiceError('too_many_request', 'too many requests of this connect session follow its flows', {
    retryAfterSeconds: BUSY_SECONDS,
  });
}
