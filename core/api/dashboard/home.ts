import * as z from 'zod';
import { bucketStarts, bucketsOf, CHART_PERIODS, type ChartPeriod } from '../../journal/operation-log/count-buckets.ts';
import { countsSince } from '../../journal/operation-log/count-store.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { INTEGRATION, INTEGRATION_KEY } from '../examples.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { ATTENTION_KINDS, attentionFor } from './attention.ts';

const PERIODS = Object.keys(CHART_PERIODS) as [ChartPeriod, ...ChartPeriod[]];

const count = z.strictObject({ total: z.int(), failed: z.int() });

const bucket = z.strictObject({
  at: dateTime.describe('when it begins'),
  proxy: count.describe('calls through the proxy'),
  refresh: count.describe('refreshes of credentials'),
  delivery: count.describe('attempts to deliver a webhook to the application'),
  script: count.describe('runs of scripts'),
});

const attention = z.strictObject({
  kind: z.enum(ATTENTION_KINDS),
  integration: z.strictObject({ unique_key: z.string(), display_name: z.string() }).nullable(),
  count: z.int().nullable().describe('of connections, or of webhook messages; at most 10000 in all'),
  event: z.string().nullable().describe('of the script'),
  target: z.string().nullable().describe('which of the webhook URLs'),
  is_paused: z.boolean().describe('nothing is sent to the target until somebody resumes it'),
});

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/activity',
  operationId: 'getActivity',
  access: { dashboard: 'read' },
  summary: 'What happened by hours or days, and what needs attention',
  tag: 'Home',
  query: z.strictObject({
    period: z.enum(PERIODS).default('24h').meta({ description: '24 hours, or 14 days of UTC', example: '24h' }),
  }),
  responses: {
    200: {
      description: 'The buckets, the earliest first; what needs attention, by kind.',
      schema: z.strictObject({ data: z.strictObject({ buckets: z.array(bucket), attention: z.array(attention) }) }),
      example: {
        data: {
          buckets: [
            {
              at: '2026-11-24T10:00:00.000Z',
              proxy: { total: 1_204, failed: 3 },
              refresh: { total: 12, failed: 0 },
              delivery: { total: 40, failed: 1 },
              script: { total: 0, failed: 0 },
            },
          ],
          attention: [
            {
              kind: 'reconnect',
              integration: { unique_key: INTEGRATION_KEY, display_name: INTEGRATION.display_name },
              count: 4,
              event: null,
              target: null,
              is_paused: false,
            },
          ],
        },
      },
    },
  },
  async handle(services: ApiServices, { caller, query: { period } }) {
    const { db, activity, clock } = services;
    const environment = environmentInPath(caller);
    await activity.flush();
    const now = clock.now();
    const counts = await countsSince(db, environment.id, bucketStarts(period, now)[0] ?? now);
    const buckets = bucketsOf(counts, period, now).map(({ at, counts: sums }) => ({ at: at.toISOString(), ...sums }));
    return { body: { data: { buckets, attention: await attentionFor(services, environment.id) } } };
  },
});

export const activityRoutes = [read];
