import * as z from 'zod';
import { bucketStarts, bucketsOf, CHART_PERIODS, type ChartPeriod } from '../../journal/operation-log/count-buckets.ts';
import { countsSince } from '../../journal/operation-log/count-store.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { ATTENTION, attention, attentionFor } from './attention.ts';
import { BUSY, busy, busySince } from './busy.ts';

const PERIODS = Object.keys(CHART_PERIODS) as [ChartPeriod, ...ChartPeriod[]];

const count = z.strictObject({ total: z.int(), failed: z.int() });

const bucket = z.strictObject({
  at: dateTime.describe('start of the hour or day'),
  proxy: count.describe('calls through the proxy'),
  refresh: count.describe('refreshes of credentials'),
  received: count.describe('deliveries of providers; the refused ones failed'),
  delivery: count.describe('attempts to send a webhook to the application'),
  script: count.describe('runs of scripts'),
});

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/activity',
  operationId: 'getActivity',
  access: { dashboard: 'read' },
  summary: 'Get the activity by hour or day, what needs attention, and what happened last and most',
  tag: 'Home',
  query: z.strictObject({
    period: z.enum(PERIODS).default('24h').meta({ description: '24 hours, or 14 UTC days', example: '24h' }),
  }),
  responses: {
    200: {
      description: 'The buckets, earliest first, and what needs attention, by kind.',
      schema: z.strictObject({ data: z.strictObject({ buckets: z.array(bucket), attention: z.array(attention), ...busy }) }),
      example: {
        data: {
          buckets: [
            {
              at: '2026-11-24T10:00:00.000Z',
              proxy: { total: 1_204, failed: 3 },
              refresh: { total: 12, failed: 0 },
              received: { total: 38, failed: 0 },
              delivery: { total: 40, failed: 1 },
              script: { total: 0, failed: 0 },
            },
          ],
          attention: [ATTENTION],
          ...BUSY,
        },
      },
    },
  },
  async handle(services: ApiServices, { caller, query: { period } }) {
    const { db, activity, clock } = services;
    const environment = environmentInPath(caller);
    await activity.flush();
    const now = clock.now();
    const since = bucketStarts(period, now)[0] ?? now;
    const counts = await countsSince(db, environment.id, since);
    const buckets = bucketsOf(counts, period, now).map(({ at, counts: sums }) => ({ at: at.toISOString(), ...sums }));
    const attention = await attentionFor(services, environment);
    return { body: { data: { buckets, attention, ...(await busySince(services, environment.id, since)) } } };
  },
});

export const activityRoutes = [read];
