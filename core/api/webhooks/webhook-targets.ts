import * as z from 'zod';
import { defineRoute } from '../../server/route.ts';
import { actingIn } from '../dashboard/acting.ts';
import { failingTargets } from '../dashboard/attention-store.ts';
import { NO_ENVIRONMENT, ofEnvironment } from '../dashboard/schemas.ts';
import type { DashboardServices } from '../dashboard/services.ts';
import { dateTime } from '../schemas.ts';

/** An environment has two. */
const ALL = 2;

const target = z.strictObject({
  slot: z.enum(['primary', 'secondary']),
  failures: z.int().describe('in a row'),
  paused_at: dateTime.nullable().describe('null: messages are still tried, one at a time'),
  pause_cause: z.string().nullable(),
});

const failing = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/webhook-targets/failing',
  operationId: 'listFailingTargets',
  access: { dashboard: 'read' },
  summary: 'Webhook URLs of an environment that are paused, or fail so often that messages are held back',
  tag: 'Settings of an environment',
  params: ofEnvironment,
  responses: {
    200: {
      description: 'None where all is well. Setting the URL again resumes it.',
      schema: z.strictObject({ data: z.array(target) }),
      example: { data: [{ slot: 'primary', failures: 20, paused_at: null, pause_cause: null }] },
    },
    404: NO_ENVIRONMENT,
  },
  async handle(services: DashboardServices, { caller, params }) {
    const { environment } = await actingIn(services, caller, params.env);
    return { body: { data: await failingTargets(services.db, { environmentId: environment.id, limit: ALL }) } };
  },
});

export const webhookTargetRoutes = [failing];
