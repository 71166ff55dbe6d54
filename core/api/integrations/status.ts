import * as z from 'zod';
import { modeNamed } from '../../auth-modes/index.ts';
import { type Provider, whyMissing } from '../../catalogue/catalogue.ts';
import { connectionCounts, countsByClient, MOST_COUNTED, totalOf } from '../../connections/connection-counts-store.ts';
import { addressChecksOf } from '../../connections/integrations/address-check-store.ts';
import { effectiveClient, fingerprintOf, isClientOf, usesSharedApp } from '../../connections/integrations/effective-client.ts';
import type { Integration } from '../../connections/integrations/integration.ts';
import { clientRecord } from '../../connections/integrations/integration-record.ts';
import { requireIntegration } from '../../connections/integrations/integrations.ts';
import { environmentInPath } from '../../server/access/caller.ts';
import { defineRoute } from '../../server/route.ts';
import { connectScreen, connectScreenRecord } from '../connect/connect-screen.ts';
import { connectionCountsShape } from '../dashboard/schemas.ts';
import { dateTime } from '../schemas.ts';
import type { ApiServices } from '../services.ts';
import { byKey } from './integration-schemas.ts';

const text = z.string().nullable();

const status = defineRoute({
  method: 'GET',
  path: '/api/ui/e/:env/integrations/:uniqueKey/status',
  operationId: 'getIntegrationStatus',
  access: { dashboard: 'read' },
  summary: 'Get the app of an integration, without its secrets, and the states of its connections',
  tag: 'Integrations',
  params: byKey,
  responses: {
    200: {
      description: 'The state of the integration.',
      schema: z.strictObject({
        data: z.strictObject({
          connections: connectionCountsShape,
          on_current_client: z.int().describe('connections that the current client has authorized, counted in the same way'),
          connect_screen: connectScreen,
          provider_fault: z
            .string()
            .nullable()
            .describe('why the provider could not be loaded; null: it is loaded, or its files are missing'),
          is_shared_app: z.boolean().describe('whether the integration uses the app that the operator shares'),
          client: z
            .strictObject({
              client_id: text.optional(),
              scopes: z.string().optional().describe('comma-separated; empty: the provider’s defaults'),
              app_id: text.optional(),
              app_link: text.optional(),
              has_client_secret: z.boolean(),
              has_private_key: z.boolean(),
              has_webhook_secret: z.boolean(),
              secrets_set_at: z
                .strictObject({
                  client_secret: dateTime.optional(),
                  private_key: dateTime.optional(),
                  webhook_secret: dateTime.optional(),
                })
                .describe('when each secret was set; also absent if it was set before these times were recorded'),
            })
            .describe('app of the integration; members that integrations of this kind do not have are absent'),
          webhook_address: z
            .strictObject({ checked_at: dateTime.nullable(), verified_at: dateTime.nullable() })
            .describe(
              'when the webhook URL was last checked, and when last by a request with a value that only the settings contain',
            ),
          former_clients: z
            .array(z.strictObject({ client_id: text, replaced_at: dateTime, connections: z.int() }))
            .describe('previous clients that connections still use, latest first'),
        }),
      }),
      example: {
        data: {
          connections: { healthy: 804, degraded: 3, needs_reauth: 12, pending: 0 },
          on_current_client: 778,
          connect_screen: { guide_url: null, position: 1 },
          provider_fault: null,
          is_shared_app: false,
          client: {
            client_id: 'example-client-id',
            scopes: 'repo,read:user',
            has_client_secret: true,
            has_private_key: false,
            has_webhook_secret: false,
            secrets_set_at: { client_secret: '2026-11-20T10:00:00.000Z' },
          },
          webhook_address: { checked_at: '2026-11-20T10:05:00.000Z', verified_at: null },
          former_clients: [{ client_id: 'former-client-id', replaced_at: '2026-11-20T10:00:00.000Z', connections: 41 }],
        },
      },
    },
    404: { description: 'There is no such integration.' },
  },
  async handle(services: ApiServices, { caller, params }) {
    const environment = environmentInPath(caller);
    const integration = await requireIntegration(services, environment.id, params.uniqueKey);
    // An integration is shown even if its provider is no longer in the catalogue, so that somebody can delete it.
    const { catalogue } = services;
    const provider = catalogue.find(integration.provider);
    const connections = (await connectionCounts(services.db, environment.id, [integration.id]))(integration.id);
    const clients = await clientCounts(services, integration);
    const {
      type: _,
      client_secret,
      private_key,
      webhook_secret,
      ...open
    } = clientRecord(integration, provider?.definition.auth_mode ?? 'NONE') ?? {};
    const since = integration.client.secretsSince ?? {};
    const isSet = (value: unknown) => typeof value === 'string' && value !== '';
    return {
      body: {
        data: {
          connections,
          on_current_client: clients.current ?? totalOf(connections),
          connect_screen: connectScreenRecord(integration),
          provider_fault:
            provider === undefined ? (whyMissing(catalogue, integration.provider) ?? null) : (provider.unusable ?? null),
          is_shared_app: hasShareableApp(provider) && usesSharedApp(integration, provider ?? {}),
          client: {
            ...open,
            has_client_secret: isSet(client_secret),
            has_private_key: isSet(private_key),
            has_webhook_secret: isSet(webhook_secret),
            secrets_set_at: {
              client_secret: since.clientSecret,
              private_key: since.privateKey,
              webhook_secret: since.webhookSecret,
            },
          },
          webhook_address: await webhookAddressChecks(services, integration),
          former_clients: clients.former,
        },
      },
    };
  },
});

/** Returns whether the mode of the provider has apps that can be shared; the demo provider has an app in every mode. */
function hasShareableApp(provider: Provider | undefined): boolean {
  return provider !== undefined && modeNamed(provider.definition.auth_mode).hasShareableApp === true;
}

async function webhookAddressChecks({ db }: ApiServices, integration: Integration) {
  const { checkedAt, verifiedAt } = await addressChecksOf(db, integration);
  return { checked_at: checkedAt?.toISOString() ?? null, verified_at: verifiedAt?.toISOString() ?? null };
}

/**
 * Counts the connections of the integration's current OAuth client and of its previous ones, if there are such. Otherwise nothing
 * is counted, since counting reads every connection.
 */
async function clientCounts({ db, catalogue }: ApiServices, integration: Integration) {
  const { formerClients: former = [] } = integration.client;
  if (former.length === 0) return { former: [] };
  const present = fingerprintOf(effectiveClient(integration, catalogue.find(integration.provider) ?? {}));
  const place = { environmentId: integration.environmentId, integrationId: integration.id };
  const counted = await countsByClient(db, place);
  const sum = (isCounted: (fingerprint: string | null) => boolean) =>
    counted.reduce((total, { fingerprint, count }) => (isCounted(fingerprint) ? total + count : total), 0);
  return {
    current: Math.min(
      MOST_COUNTED,
      sum((fingerprint) => fingerprint === present),
    ),
    former: former.flatMap((one) => {
      const connections = sum((fingerprint) => fingerprint !== present && isClientOf(one, fingerprint));
      return connections === 0 ? [] : [{ client_id: one.clientId ?? one.appId ?? null, replaced_at: one.since, connections }];
    }),
  };
}

export const integrationStatusRoutes = [status];
