import * as z from 'zod';
import { connectionCounts } from '../../connections/connection-counts-store.ts';
import { logoUrl } from '../../connections/integrations/integration-record.ts';
import { fromRow } from '../../connections/integrations/integration-store.ts';
import {
  countIntegrations,
  type IntegrationPosition,
  integrationPage,
  type OverviewOrder,
  type OverviewRow,
} from '../../connections/integrations/overview-store.ts';
import { cursorFault } from '../../db/cursor.ts';
import { failuresByIntegration } from '../../journal/operation-log/failure-store.ts';
import { daysBefore } from '../../kit/clock.ts';
import { KeyRingError } from '../../kit/key-ring.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { connectionCountsShape } from '../dashboard/schemas.ts';
import { INTEGRATION, INTEGRATION_KEY } from '../examples.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';

const TAG = 'Integrations';
const PAGE = 50;
const COUNTS = { healthy: 804, degraded: 3, needs_reauth: 12, pending: 0 };

const row = z.strictObject({
  unique_key: z.string(),
  display_name: z.string(),
  provider: z.string(),
  auth_mode: z.string().nullable().describe('null: the provider is not in the catalogue'),
  logo: z.url(),
  forward_webhooks: z.boolean(),
  has_webhook_secret: z.boolean().nullable().describe('null: the stored value cannot be read with the encryption key'),
  updated_at: dateTime,
  connections: connectionCountsShape,
  failures: z
    .int()
    .describe('failed operations of the last 24 hours under the present key, among the latest 10000 in the environment'),
});

const overview = defineRoute({
  method: 'GET',
  // The path is not below /integrations, where this segment could also be the key of an integration.
  path: '/api/ui/e/:env/integrations-overview',
  operationId: 'getIntegrationsOverview',
  access: { dashboard: 'read' },
  summary: 'List integrations with the numbers of their connections and failures',
  tag: TAG,
  query: z.strictObject({
    search: z.string().min(1).max(255).optional().meta({ description: 'part of the name, key or provider', example: 'git' }),
    auth_mode: z.string().min(1).max(64).optional().meta({ description: 'auth mode of the provider', example: 'OAUTH2' }),
    sort: z
      .enum(['name', 'updated'])
      .default('name')
      .meta({ description: '`updated`: most recently updated first', example: 'updated' }),
    cursor: z.string().min(1).max(1024).optional().meta({ description: '`next_cursor` of the previous page' }),
  }),
  responses: {
    200: {
      description: 'One page.',
      schema: z.strictObject({ data: z.array(row), next_cursor: z.string().nullable(), total: z.int() }),
      example: {
        data: [
          {
            unique_key: INTEGRATION_KEY,
            display_name: INTEGRATION.display_name,
            provider: INTEGRATION_KEY,
            auth_mode: 'OAUTH2',
            logo: INTEGRATION.logo,
            forward_webhooks: true,
            has_webhook_secret: false,
            updated_at: INTEGRATION.updated_at,
            connections: COUNTS,
            failures: 2,
          },
        ],
        next_cursor: null,
        total: 1,
      },
    },
  },
  async handle(services: ApiServices, { caller, query }) {
    const environment = environmentInPath(caller);
    const { db, catalogue } = services;
    const providers =
      query.auth_mode === undefined
        ? undefined
        : catalogue.list().flatMap(({ slug, definition }) => (definition.auth_mode === query.auth_mode ? [slug] : []));
    const { search, sort: order, cursor } = query;
    const after = cursor === undefined ? undefined : fromCursor(order, cursor);
    const found = await integrationPage(db, environment.id, { search, providers, order, after, limit: PAGE + 1 });
    const total = await countIntegrations(db, environment.id, { search, providers });
    const page = found.slice(0, PAGE);
    const countsOf = await connectionCounts(
      db,
      environment.id,
      page.map(({ id }) => id),
    );
    const last = page.at(-1);
    const failuresOf = await failuresByIntegration(db, environment.id, daysBefore(services.clock.now(), 1));
    const data = page.map((one) => {
      return { ...shown(services, one), connections: countsOf(one.id), failures: failuresOf(one.unique_key) };
    });
    return { body: { data, next_cursor: found.length > PAGE && last ? toCursor(order, last) : null, total } };
  },
});

function shown({ catalogue, baseUrl, keys }: ApiServices, one: OverviewRow) {
  return {
    unique_key: one.unique_key,
    display_name: one.display_name,
    provider: one.provider,
    auth_mode: catalogue.find(one.provider)?.definition.auth_mode ?? null,
    logo: logoUrl(baseUrl, one.provider),
    forward_webhooks: one.forward_webhooks,
    has_webhook_secret: hasWebhookSecret(keys, one),
    updated_at: one.updated_at.toISOString(),
  };
}

/**
 * Returns whether an integration has a webhook secret; null if its row cannot be decrypted. Such an integration is listed
 * nevertheless, and its page says what is wrong.
 */
function hasWebhookSecret(keys: ApiServices['keys'], one: OverviewRow): boolean | null {
  try {
    return fromRow(keys, one).client.webhookSecret !== undefined;
  } catch (error) {
    if (error instanceof KeyRingError) return null;
    throw error;
  }
}

function toCursor(order: OverviewOrder, { at, id }: OverviewRow): string {
  return Buffer.from(JSON.stringify([order, at, id])).toString('base64url');
}

const POSITIONS = {
  /** The name must not contain U+0000, which Postgres does not accept in texts. */
  name: z.tuple([z.literal('name'), z.string().regex(/^[^\0]*$/), z.int()]),
  updated: z.tuple([z.literal('updated'), z.int().min(0), z.int()]),
};

/**
 * Reads the position from a cursor.
 *
 * @throws ServiceError `invalid_query_params` if this endpoint did not issue the cursor, or issued it for a list in another order
 */
function fromCursor(order: OverviewOrder, cursor: string): IntegrationPosition {
  try {
    const [, at, id] = POSITIONS[order].parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { at, id };
  } catch {
    throw cursorFault();
  }
}

export const dashboardIntegrationRoutes = [overview];
