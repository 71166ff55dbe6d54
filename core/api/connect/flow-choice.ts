import * as z from 'zod';
import { chooseInFlow, flowChoice } from '../../connect/flows/choice.ts';
import { defineRoute } from '../../server/route.ts';
import { sessionOf } from '../connect-sessions/session-of.ts';
import { CONNECTION_ID, FLOW_ID } from '../examples.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const FLOW = {
  access: { session: true, evenEnded: true },
  tag: 'Authorization',
  path: '/connect/flows/:flow_id/choice',
} as const;
const params = z.strictObject({
  flow_id: z.uuid().meta({
    description: '`flow_id` with which the flow was started',
    example: FLOW_ID,
  }),
});
const option = z.strictObject({ id: z.string(), label: z.string() });

const read = defineRoute({
  ...FLOW,
  method: 'GET',
  operationId: 'getFlowChoice',
  summary: 'Get the options of a flow that waits for the user’s choice',
  params,
  responses: {
    200: {
      description: 'The state of the flow: `pending` until the user returns from the provider.',
      schema: z.strictObject({
        data: z.strictObject({
          state: z.enum(['pending', 'choosing', 'ended']),
          options: z.array(option).meta({ description: 'only in the state `choosing`' }),
          expires_at: dateTime.nullable().meta({ description: 'time until which the user can choose' }),
        }),
      }),
      example: {
        data: { state: 'choosing', options: [{ id: 'site-1', label: 'Acme' }], expires_at: '2026-01-15T09:14:00.000Z' },
      },
    },
    404: { description: 'The session has no such flow.' },
  },
  async handle(services: ApiServices, { caller, params: { flow_id: flowId } }) {
    const { state, options, expiresAt } = await flowChoice(services, sessionOf(caller), flowId);
    return { body: { data: { state, options, expires_at: expiresAt?.toISOString() ?? null } } };
  },
});

const choose = defineRoute({
  ...FLOW,
  method: 'POST',
  operationId: 'chooseInFlow',
  summary: 'Choose an option, which connects the account',
  params,
  body: z.strictObject({ id: z.string().min(1).max(255).meta({ description: 'ID of one of the options' }) }),
  bodyExample: { id: 'site-1' },
  responses: {
    200: {
      description: 'Connected. The connection ID in this response is deprecated; take it from the auth webhook.',
      schema: z.strictObject({ connectionId: z.string() }),
      example: { connectionId: CONNECTION_ID },
    },
    400: { description: 'There is no such option, or the provider or a script rejected the connection.' },
    404: { description: 'The session has no such flow.' },
    409: { description: 'The flow is not waiting for a choice, or the account is a different one (`wrong_account`).' },
    503: { description: 'The provider could not be reached; the user can choose again.' },
  },
  async handle(services: ApiServices, { caller, params: { flow_id: flowId }, body: { id } }) {
    return { body: { connectionId: await chooseInFlow(services, sessionOf(caller), { flowId, id }) } };
  },
});

export const flowChoiceRoutes = [read, choose];
