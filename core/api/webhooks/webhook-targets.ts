import * as z from 'zod';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { failingTargets, MOST_WAITING } from '../dashboard/attention-store.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

/** Number of targets in the settings of an environment: the primary and the secondary one. */
const ALL = 2;

const target = z.strictObject({
  slot: z.enum(['primary', 'secondary']),
  failures: z.int().describe('consecutive failures'),
  paused_at: dateTime.nullable().describe('null: not paused; messages are still tried, one at a time'),
  pause_cause: z.string().nullable(),
  waiting: z.int().describe(`webhooks that wait for it; ${MOST_WAITING} stands for that many or more`),
  oldest: dateTime.nullable().describe('when the oldest of them was created'),
});

const failing = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/webhook-targets/failing',
  operationId: 'listFailingTargets',
  access: { dashboard: 'read' },
  summary: 'List the webhook URLs of an environment that are paused, or fail so often that messages are held back',
  tag: 'Settings of an environment',
  responses: {
    200: {
      description: 'Empty if all is well. Setting a URL again resumes it.',
      schema: z.strictObject({ data: z.array(target) }),
      example: {
        data: [
          { slot: 'primary', failures: 20, paused_at: null, pause_cause: null, waiting: 52, oldest: '2026-01-16T08:00:00.000Z' },
        ],
      },
    },
  },
  async handle(services: ApiServices, { caller }) {
    const environment = environmentInPath(caller);
    return { body: { data: await failingTargets(services.db, { environmentId: environment.id, limit: ALL }) } };
  },
});

export const webhookTargetRoutes = [failing];
