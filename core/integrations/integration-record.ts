import type { JsonObject } from '#contract';
import type { Integration, ListedIntegration } from './integration.ts';

/** The integration as the interface shows it; never a secret. */
export function integrationRecord(integration: ListedIntegration, baseUrl: string): JsonObject {
  return {
    unique_key: integration.uniqueKey,
    display_name: integration.displayName,
    provider: integration.provider,
    created_at: integration.createdAt.toISOString(),
    updated_at: integration.updatedAt.toISOString(),
    logo: logoUrl(baseUrl, integration.provider),
    forward_webhooks: integration.forwardWebhooks,
  };
}

export function logoUrl(baseUrl: string, provider: string): string {
  return `${baseUrl}/logos/${provider}.svg`;
}

/** The app as its owner may read it back (`include=credentials`). */
export function clientRecord(integration: Integration, authMode: string): JsonObject {
  const { clientId, clientSecret, scopes, webhookSecret } = integration.client;
  return {
    type: authMode,
    client_id: clientId ?? null,
    client_secret: clientSecret ?? null,
    scopes: scopes.join(','),
    webhook_secret: webhookSecret ?? null,
  };
}
