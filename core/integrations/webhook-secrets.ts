import type { IntegrationSecrets } from '#contract';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { IntegrationsDeps } from './deps.ts';
import { effectiveClient } from './effective-client.ts';
import type { ClientApp, Integration } from './integration.ts';

/** The provider may still sign with the secret before while both sides are changed one after the other. */
const OVERLAP_MS = 24 * 3_600_000;

type WebhookSecrets = Pick<ClientApp, 'webhookSecret' | 'previousWebhookSecret'>;

/**
 * An app's webhook secrets after a change. Of two changes within a day only the later leaves its secret before.
 *
 * @param given undefined: it stays; empty: there is none from now on, and none before either
 */
export function changedWebhookSecret(before: WebhookSecrets, given: string | undefined, now: Date): WebhookSecrets {
  const { webhookSecret, previousWebhookSecret: previous } = before;
  if (given === '') return {};
  if (given === undefined || given === webhookSecret) {
    return {
      ...(webhookSecret !== undefined && { webhookSecret }),
      ...(isGood(previous, now) && { previousWebhookSecret: previous }),
    };
  }
  if (webhookSecret === undefined) return { webhookSecret: given };
  const until = new Date(now.getTime() + OVERLAP_MS).toISOString();
  return { webhookSecret: given, previousWebhookSecret: { secret: webhookSecret, until } };
}

/** What a webhook's signature is verified with: as it is now; then, for a day after a change, with the secret before. */
export function webhookSecretsOf(
  { catalogue, clock }: Pick<IntegrationsDeps, 'clock'> & { readonly catalogue: Pick<Catalogue, 'find'> },
  integration: Pick<Integration, 'provider' | 'client' | 'integrationConfig'>,
): readonly [now: IntegrationSecrets, ...before: IntegrationSecrets[]] {
  const { clientId, clientSecret } = effectiveClient(integration, catalogue.find(integration.provider) ?? {});
  const { webhookSecret, previousWebhookSecret: previous } = integration.client;
  const config = integration.integrationConfig;
  const current = { clientId: clientId || undefined, clientSecret: clientSecret || undefined, webhookSecret, config };
  return isGood(previous, clock.now()) ? [current, { ...current, webhookSecret: previous.secret }] : [current];
}

function isGood(
  previous: ClientApp['previousWebhookSecret'],
  now: Date,
): previous is NonNullable<ClientApp['previousWebhookSecret']> {
  return previous !== undefined && now.getTime() < Date.parse(previous.until);
}
