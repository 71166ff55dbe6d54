import type { IntegrationSecrets } from '#contract';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Clock } from '../../kit/clock.ts';
import { effectiveClient } from './effective-client.ts';
import type { ClientApp, Integration } from './integration.ts';

/**
 * How long the previous secret is valid, in milliseconds: until the secret has been changed both here and at the provider, the
 * provider may sign with either.
 */
const OVERLAP_MS = 24 * 3_600_000;

type WebhookSecrets = Pick<ClientApp, 'webhookSecret' | 'previousWebhookSecret'>;

/**
 * Returns an app's webhook secrets after a change. Only one previous secret is kept: a second change within a day replaces it.
 *
 * @param changed undefined: no change; empty: removes the secret and the previous one
 */
export function changedWebhookSecret(before: WebhookSecrets, changed: string | undefined, now: Date): WebhookSecrets {
  const { webhookSecret, previousWebhookSecret: previous } = before;
  if (changed === '') return {};
  if (changed === undefined || changed === webhookSecret) {
    return {
      ...(webhookSecret !== undefined && { webhookSecret }),
      ...(isValid(previous, now) && { previousWebhookSecret: previous }),
    };
  }
  if (webhookSecret === undefined) return { webhookSecret: changed };
  const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
  return { webhookSecret: changed, previousWebhookSecret: { secret: webhookSecret, until } };
}

/**
 * Returns the secrets that verify a delivery's signature: the current ones and, for a day after a change, also those with the
 * previous webhook secret.
 */
export function webhookSecretsOf(
  { catalogue, clock }: { readonly clock: Clock } & { readonly catalogue: Pick<Catalogue, 'find'> },
  integration: Pick<Integration, 'provider' | 'client' | 'integrationConfig'>,
): readonly [now: IntegrationSecrets, ...before: IntegrationSecrets[]] {
  const { clientId, clientSecret } = effectiveClient(integration, catalogue.find(integration.provider) ?? {});
  const { webhookSecret, previousWebhookSecret: previous } = integration.client;
  const config = integration.integrationConfig;
  const current = { clientId: clientId || undefined, clientSecret: clientSecret || undefined, webhookSecret, config };
  return isValid(previous, clock.now()) ? [current, { ...current, webhookSecret: previous.secret }] : [current];
}

function isValid(
  previous: ClientApp['previousWebhookSecret'],
  now: Date,
): previous is NonNullable<ClientApp['previousWebhookSecret']> {
  return previous !== undefined && now.getTime() < Date.parse(previous.until);
}
