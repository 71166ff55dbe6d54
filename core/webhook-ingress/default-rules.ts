import type { IncomingWebhook, WebhookEvent, WebhookRules } from '#contract';
import { CONNECTION_ID_PARAMETER, TAG_PARAMETER } from '../integrations/webhook-address.ts';

/** Headers by which providers sign their deliveries and name their events. Those that are a secret have other names. */
const FORWARDED = /^x-(?:.+-)?(?:signature|hmac|event|topic|delivery|timestamp)(?:-.+)?$/;

/**
 * For providers without rules of their own: every delivery is accepted and forwarded as it is. Nothing is known of its signature,
 * so only an address that was made here vouches for it, by its tag (`check-tag.ts` has refused a wrong one).
 */
export const DEFAULT_RULES: WebhookRules = {
  signature: [{ scheme: 'unverified', reason: 'the provider has no rules for webhooks' }],
  events: eventsOf,
};

/** The headers of a delivery that are passed on under the default rules: the application may know how to verify it. */
export function defaultForwardHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(headers).filter((name) => FORWARDED.test(name));
}

function eventsOf({ query }: IncomingWebhook): readonly WebhookEvent[] {
  const { [TAG_PARAMETER]: tag, [CONNECTION_ID_PARAMETER]: value } = query;
  return [{ connections: tag !== undefined && value ? [{ by: 'connectionId', value }] : [] }];
}
