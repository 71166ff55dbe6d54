import type { Json, JsonObject } from '#contract';
import { appMembersOf } from './client-app.ts';
import type { Integration, ListedIntegration } from './integration.ts';

/** Returns the integration as the API shows it; never a secret. */
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

/** Shown instead of a secret that the caller may not read. */
const MASK = '***';

/**
 * Returns the configuration as its owner may read it back (`include=config`); without `withSecrets`, secret values are masked.
 */
export function configRecord(
  { integrationConfig, secretConfig }: Pick<Integration, 'integrationConfig' | 'secretConfig'>,
  { withSecrets }: { readonly withSecrets: boolean },
): JsonObject {
  if (withSecrets) return integrationConfig;
  const masked = Object.keys(secretConfig).map((name) => [name, MASK] as const);
  return { ...integrationConfig, ...Object.fromEntries(masked) };
}

/**
 * Returns the app as its owner may read it back (`include=credentials`); null if integrations of this mode have none and there is
 * no webhook secret. Never contains the shared app.
 */
export function clientRecord({ client }: Pick<Integration, 'client'>, mode: string): JsonObject | null {
  const members = appMembersOf(mode);
  if (members.length === 0 && client.webhookSecret === undefined) return null;
  const record: Readonly<Record<string, Json>> = {
    client_id: client.clientId ?? null,
    client_secret: client.clientSecret ?? null,
    scopes: client.scopes.join(','),
    app_id: client.appId ?? null,
    app_link: client.appLink ?? null,
    // Shown even without a value only for apps that users install, since all others may do without a private key.
    ...((client.privateKey !== undefined || members.includes('app_id')) && { private_key: client.privateKey ?? null }),
  };
  const shown = Object.fromEntries(members.flatMap((name) => (record[name] === undefined ? [] : [[name, record[name]]])));
  return { type: mode, ...shown, webhook_secret: client.webhookSecret ?? null };
}
