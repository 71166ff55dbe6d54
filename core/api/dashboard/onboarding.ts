import type { Knex } from 'knex';
import * as z from 'zod';
import { listConnections } from '../../connections/connection-list-store.ts';
import { integrationsOf } from '../../connections/integrations/integration-store.ts';
import { operationPage } from '../../journal/operation-log/operation-page.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { type ApiKey, liveKeysOf } from '../../tenants/api-keys/api-key-store.ts';
import { grants } from '../../tenants/api-keys/scopes.ts';
import { connectSettingsOf } from '../../tenants/environments/connect-settings-store.ts';
import { attemptsOf, type ListedMessageRow } from '../../webhook-delivery/message-list-store.ts';
import { messagePage } from '../../webhook-delivery/message-reading.ts';
import { primaryState } from '../../webhook-delivery/target-store.ts';
import { API_KEY, CONNECTION, WEBHOOK_ATTEMPT, WEBHOOK_MESSAGE } from '../examples.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { messageStatus } from '../webhooks/webhook-messages.ts';

const FIRST = { limit: 1 } as const;

const onboarding = z.strictObject({
  api_key: z
    .strictObject({
      name: z.string(),
      last4: z.string().describe('last characters of the secret'),
    })
    .nullable()
    .describe('newest valid key with full access, or else the newest valid key; null: no valid key'),
  integration: z.string().nullable().describe('key of one of the integrations'),
  application: z.string().nullable().describe('name of the application on the pages for end users; null: it has none'),
  connection: z
    .strictObject({
      connection_id: z.string(),
      provider_config_key: z.string(),
      provider: z.string(),
      auth_mode: z.string().nullable().describe('null: the provider is not in the catalogue'),
    })
    .nullable()
    .describe('newest connection'),
  webhook: z
    .strictObject({
      id: z.string(),
      type: z.string(),
      status: messageStatus,
      last_attempt: z
        .strictObject({ at: dateTime, status: z.int().nullable().describe('null: no response'), error: z.string().nullable() })
        .nullable(),
    })
    .nullable()
    .describe('newest webhook to the application'),
  has_webhook_url: z.boolean().describe('whether the environment has a webhook URL'),
  on_new_connection: z.boolean().describe('whether the application is told of new connections'),
  is_webhook_paused: z.boolean().describe('whether webhooks to the primary URL are paused'),
  webhook_held_until: dateTime
    .nullable()
    .describe(
      'until when webhooks to the primary URL are held back, since the application does not accept them; null: they are not',
    ),
  has_received: z.boolean().describe('whether there is a webhook that was delivered; old ones are deleted'),
  has_proxied: z.boolean().describe('whether the operation log has a call through the proxy that succeeded'),
});

const read = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/onboarding',
  operationId: 'getOnboarding',
  access: { dashboard: 'read' },
  summary: 'Get the progress of the quick start',
  tag: 'Quick start',
  responses: {
    200: {
      description: 'What exists for each step.',
      schema: z.strictObject({ data: onboarding }),
      example: {
        data: {
          api_key: { name: API_KEY.display_name, last4: '7f3a' },
          integration: CONNECTION.provider_config_key,
          application: 'Acme',
          connection: {
            connection_id: CONNECTION.connection_id,
            provider_config_key: CONNECTION.provider_config_key,
            provider: CONNECTION.provider,
            auth_mode: 'OAUTH2',
          },
          webhook: {
            id: WEBHOOK_MESSAGE.id,
            type: 'auth',
            status: 'delivered',
            last_attempt: { at: WEBHOOK_ATTEMPT.at, status: 200, error: null },
          },
          has_webhook_url: true,
          on_new_connection: true,
          is_webhook_paused: false,
          webhook_held_until: null,
          has_received: true,
          has_proxied: false,
        },
      },
    },
  },
  async handle(services: ApiServices, { caller }) {
    const { db, activity, clock } = services;
    const environment = environmentInPath(caller);
    await activity.flush();
    const now = clock.now();
    const proxied = { ...FIRST, types: ['proxy'], statuses: ['success'], now };
    const [keys, integrations, { brand }, connections, messages, delivered, calls, target] = await Promise.all([
      liveKeysOf(db, { accountId: environment.accountId, environmentId: environment.id }),
      integrationsOf(db, environment.id),
      connectSettingsOf(db, environment.id),
      listConnections(db, environment.id, FIRST),
      messagePage(db, environment.id, FIRST),
      messagePage(db, environment.id, { ...FIRST, status: 'delivered' }),
      operationPage(db, environment.id, proxied),
      primaryState(db, environment.id),
    ]);
    const [connection, message] = [connections.rows[0], messages.rows[0]];
    const key = keyToShow(keys, now);
    return {
      body: {
        data: {
          api_key: key === undefined ? null : { name: key.name, last4: key.last4 },
          integration: integrations[0]?.uniqueKey ?? null,
          application: brand.name,
          connection: connection === undefined ? null : shownConnection(services, connection),
          webhook: message === undefined ? null : await shown(db, message),
          has_webhook_url: environment.webhookUrl !== null || environment.webhookUrlSecondary !== null,
          on_new_connection: environment.onNewConnection,
          is_webhook_paused: target.isPaused,
          webhook_held_until: target.heldUntil?.toISOString() ?? null,
          has_received: delivered.rows.length > 0,
          has_proxied: calls.rows.length > 0,
        },
      },
    };
  },
});

export const onboardingRoutes = [read];

/**
 * Returns the API key to show in the onboarding: the newest valid key with full access, or else the newest valid key.
 *
 * @param keys oldest first
 */
function keyToShow(keys: readonly ApiKey[], now: Date): ApiKey | undefined {
  const live = keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  return live.findLast(({ scopes }) => grants(scopes, 'environment:*')) ?? live.at(-1);
}

type Listed = Awaited<ReturnType<typeof listConnections>>['rows'][number];

function shownConnection({ catalogue }: ApiServices, { connection_id, provider_config_key, provider }: Listed) {
  const auth_mode = catalogue.find(provider)?.definition.auth_mode ?? null;
  return { connection_id, provider_config_key, provider, auth_mode };
}

async function shown(db: Knex, { id, message_id, type, status }: ListedMessageRow) {
  const [attempt] = await attemptsOf(db, id, 1);
  const lastAttempt = attempt && { at: attempt.at.toISOString(), status: attempt.status, error: attempt.error };
  return { id: message_id, type, status, last_attempt: lastAttempt ?? null };
}
