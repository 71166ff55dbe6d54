import type { IncomingWebhook, WebhookEvent, WebhookRules } from '#contract';
import { CONNECTION_ID_PARAMETER, TAG_PARAMETER } from '../connections/integrations/webhook-address.ts';

/**
 * Matches the names of headers in which providers send signatures and event names. Headers that contain secrets have other names.
 */
const FORWARDED = /^x-(?:.+-)?(?:signature|hmac|event|topic|delivery|timestamp)(?:-.+)?$/;

/**
 * Rules for providers without rules of their own: every delivery is accepted and forwarded unchanged. Its signature cannot be
 * verified, so it counts as verified only if its URL has a tag of the service (`check-tag.ts` rejects wrong ones).
 */
export const DEFAULT_RULES: WebhookRules = {
  signature: [{ scheme: 'unverified', reason: 'the provider has no rules for webhooks' }],
  events: eventsOf,
  matchedBy: [`${CONNECTION_ID_PARAMETER} in the URL is the connection ID, proven by ${TAG_PARAMETER}`],
};

/** Returns the headers to forward under the default rules: the application may know how to verify them. */
export function defaultForwardHeaders(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(headers).filter((name) => FORWARDED.test(name));
}

function eventsOf({ query }: IncomingWebhook): readonly WebhookEvent[] {
  const { [TAG_PARAMETER]: tag, [CONNECTION_ID_PARAMETER]: value } = query;
  return [{ connections: tag !== undefined && value ? [{ by: 'connectionId', value }] : [] }];
}
