import { createHash } from 'node:crypto';
import type { IncomingWebhook, SignatureRule, WebhookRules } from '#contract';

interface DeliveryFacts {
  readonly id: string | undefined;
  readonly verified: boolean;
  /** The connection whose registered address it came to. */
  readonly registeredFor?: string | undefined;
}

/**
 * The key of a delivery and its duplicates: the provider's ID, or query, signature and body. It includes whether the delivery was
 * verified, so that nobody else can use up an ID, and the connection of its URL, since some providers use one ID for several
 * registrations.
 *
 * @returns 32 bytes
 */
export function duplicateKey(
  rules: Pick<WebhookRules, 'signature'>,
  webhook: IncomingWebhook,
  { id, verified, registeredFor }: DeliveryFacts,
): Buffer {
  const hash = createHash('sha256');
  if (hasId(id)) return hash.update(JSON.stringify([verified, 'id', id, registeredFor ?? null])).digest();
  const signatures = rules.signature.map((rule) => signatureOf(rule, webhook));
  hash.update(JSON.stringify([verified, 'content', queryOf(webhook), ...signatures]));
  return hash.update('\n').update(webhook.rawBody).digest();
}

/** Whether the provider identifies the delivery. */
export function hasId(id: string | undefined): id is string {
  return typeof id === 'string' && id !== '';
}

function queryOf({ url }: IncomingWebhook): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** The header of a token rule has the token itself. */
function signatureOf(rule: SignatureRule, { headers }: IncomingWebhook): string | null {
  if ('header' in rule) return headers[rule.header.toLowerCase()] ?? null;
  return rule.scheme === 'jwt' ? (headers['authorization'] ?? null) : null;
}
