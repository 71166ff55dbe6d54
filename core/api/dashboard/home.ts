import * as z from 'zod';
import { effectiveClient, fingerprintOf } from '../../connections/integrations/effective-client.ts';
import { firstIntegrations } from '../../connections/integrations/integration-store.ts';
import { bucketStarts, bucketsOf, CHART_PERIODS, type ChartPeriod } from '../../journal/operation-log/count-buckets.ts';
import { countsSince } from '../../journal/operation-log/count-store.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { INTEGRATION, INTEGRATION_KEY } from '../examples.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import {
  failedMessages,
  failingScripts,
  failingTargets,
  type IntegrationName,
  integrationsToReconnect,
} from './attention-store.ts';

/** Maximum number of entries that are shown for each kind of problem. */
const SHOWN = 10;
/** Maximum number of integrations that are examined for a missing app. It is limited because each app has to be decrypted. */
const LOOKED_AT = 200;
/** The auth modes whose flows cannot begin without an app. */
const NEED_CLIENT: readonly string[] = ['OAUTH1', 'OAUTH2'];
const ATTENTION_KINDS = ['reconnect', 'webhook_target', 'webhook_messages', 'script', 'client'] as const;
const PERIODS = Object.keys(CHART_PERIODS) as [ChartPeriod, ...ChartPeriod[]];

interface Attention {
  readonly kind: (typeof ATTENTION_KINDS)[number];
  readonly integration: IntegrationName | null;
  readonly count: number | null;
  readonly event: string | null;
  readonly target: string | null;
  readonly is_paused: boolean;
}

const NOTHING = { integration: null, count: null, event: null, target: null, is_paused: false } as const;
type Parts = Pick<ApiServices, 'db' | 'keys' | 'catalogue'>;

/** Returns the problems in an environment that somebody has to fix, beginning with the most urgent kind. */
async function attentionFor(parts: Parts, environmentId: number): Promise<Attention[]> {
  const { db } = parts;
  const wanted = { environmentId, limit: SHOWN };
  const reconnect = await integrationsToReconnect(db, wanted);
  const targets = await failingTargets(db, wanted);
  const failed = await failedMessages(db, environmentId);
  const scripts = await failingScripts(db, wanted);
  const clientless = await withoutClient(parts, environmentId);
  return [
    ...reconnect.map(({ count, ...one }) => ({ ...NOTHING, kind: 'reconnect' as const, integration: one, count })),
    ...targets.map(({ slot, paused_at: pausedAt }) => {
      return { ...NOTHING, kind: 'webhook_target' as const, target: slot, is_paused: pausedAt !== null };
    }),
    ...(failed === 0 ? [] : [{ ...NOTHING, kind: 'webhook_messages' as const, count: failed }]),
    ...scripts.map(({ event, ...one }) => ({ ...NOTHING, kind: 'script' as const, integration: one, event })),
    ...clientless.map((one) => ({ ...NOTHING, kind: 'client' as const, integration: one })),
  ];
}

async function withoutClient({ db, keys, catalogue }: Parts, environmentId: number): Promise<IntegrationName[]> {
  const providers = catalogue.list().flatMap((one) => (NEED_CLIENT.includes(one.definition.auth_mode) ? [one.slug] : []));
  const found = await firstIntegrations({ db, keys }, environmentId, { providers, limit: LOOKED_AT });
  return found
    .filter((one) => {
      const provider = catalogue.find(one.provider);
      return provider !== undefined && fingerprintOf(effectiveClient(one, provider)) === null;
    })
    .slice(0, SHOWN)
    .map(({ uniqueKey, displayName }) => ({ unique_key: uniqueKey, display_name: displayName }));
}

const count = z.strictObject({ total: z.int(), failed: z.int() });

const bucket = z.strictObject({
  at: dateTime.describe('start of the hour or day'),
  proxy: count.describe('calls through the proxy'),
  refresh: count.describe('refreshes of credentials'),
  delivery: count.describe('attempts to send a webhook to the application'),
  script: count.describe('runs of scripts'),
});

const attention = z.strictObject({
  kind: z.enum(ATTENTION_KINDS),
  integration: z.strictObject({ unique_key: z.string(), display_name: z.string() }).nullable(),
  count: z.int().nullable().describe('number of connections or webhooks; at most 10000 in total'),
  event: z.string().nullable().describe('event of the script'),
  target: z.string().nullable().describe('which webhook URL: `primary` or `secondary`'),
  is_paused: z.boolean().describe('true: nothing is sent to the target until it is resumed'),
});

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/activity',
  operationId: 'getActivity',
  access: { dashboard: 'read' },
  summary: 'Get the activity by hour or day, and what needs attention',
  tag: 'Home',
  query: z.strictObject({
    period: z.enum(PERIODS).default('24h').meta({ description: '24 hours, or 14 UTC days', example: '24h' }),
  }),
  responses: {
    200: {
      description: 'The buckets, earliest first, and what needs attention, by kind.',
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
