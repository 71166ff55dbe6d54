import { createHash } from 'node:crypto';
import type { IncomingWebhook, SignatureRule, WebhookRules } from '#contract';

interface DeliveryFacts {
  readonly id: string | undefined;
  readonly verified: boolean;
  /** The connection whose registered address it came to. */
  readonly registeredFor?: string | undefined;
}

/**
 * What a delivery has in common with those that repeat it: the provider's ID of it, else query, signature and body. Whether it
 * was verified belongs to it, so that nobody can use up an ID before the provider does; and the connection it is for, as some
 * providers give one ID to what they send to several registrations.
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

/** Whether the provider says which delivery it is. */
export function hasId(id: string | undefined): id is string {
  return typeof id === 'string' && id !== '';
}

function queryOf({ url }: IncomingWebhook): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** A token is in the header of that name wherever it is in one. */
function signatureOf(rule: SignatureRule, { headers }: IncomingWebhook): string | null {
  if ('header' in rule) return headers[rule.header.toLowerCase()] ?? null;
  return rule.scheme === 'jwt' ? (headers['authorization'] ?? null) : null;
}
