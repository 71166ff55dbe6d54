import * as z from 'zod';
import { bucketStarts, sumsOf } from '../../journal/operation-log/count-buckets.ts';
import { countsSince, type OperationCount } from '../../journal/operation-log/count-store.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { dateTime, listOf } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { TYPES } from './log-schemas.ts';

const counts = z.strictObject({
  at: dateTime.describe('start of the hour'),
  succeeded: z.int().describe('operations that succeeded, or were cancelled'),
  failed: z.int(),
});

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/log-counts',
  operationId: 'getLogCounts',
  access: { dashboard: 'read' },
  summary: 'Count the operations of the last 24 hours by the hour, also those that the log leaves out',
  tag: 'Logs',
  query: z.strictObject({
    type: listOf(z.enum(TYPES)).optional().meta({ description: 'comma-separated; default: all', example: 'proxy' }),
  }),
  responses: {
    200: {
      description: 'The hours, the earliest first; the last one is the present hour.',
      schema: z.strictObject({ data: z.array(counts) }),
      example: { data: [{ at: '2026-01-15T09:00:00.000Z', succeeded: 1_204, failed: 3 }] },
    },
  },
  async handle({ db, activity, clock }: ApiServices, { caller, query: { type: types = TYPES } }) {
    const environment = environmentInPath(caller);
    await activity.flush();
    const now = clock.now();
    const hours = bucketStarts('24h', now);
    const found = await countsSince(db, environment.id, hours[0] ?? now);
    const wanted = found.filter(({ kind }) => types.some((type) => type === kind));
    return { body: { data: hours.map((at) => inHour(wanted, at)) } };
  },
});

export const logCountRoutes = [read];

function inHour(all: readonly OperationCount[], at: Date) {
  const { total, failed } = sumsOf(all.filter(({ hour }) => hour.getTime() === at.getTime()));
  return { at: at.toISOString(), succeeded: total - failed, failed };
}
