import { createHmac, createSecretKey } from 'node:crypto';
import type { HmacRule, IncomingWebhook } from '#contract';
import { timingSafeEqualText } from '../../kit/timing-safe-equal.ts';

/**
 * Whether one of the header's digests is that of the signed bytes. Digests are compared as they are spelt: a lenient decoder
 * would take many texts for the same bytes.
 */
export function isHmacValid(rule: HmacRule, webhook: IncomingWebhook, secret: string): boolean {
  const key = rule.key === undefined ? Buffer.from(secret, 'utf8') : rule.key(secret);
  // What is left of a malformed secret after decoding: anybody can sign with no key.
  if (key.byteLength === 0) return false;
  const signed = rule.signedBytes === undefined ? webhook.rawBody : rule.signedBytes(webhook);
  // Bare bytes cost Node three times as much: it asks first whether they are a key of each of its kinds.
  const expected = createHmac(rule.algorithm, createSecretKey(key)).update(signed).digest(rule.encoding);
  return digestsOf(rule, webhook.headers[rule.header] ?? '').some((digest) => timingSafeEqualText(digest, expected));
}

/** Whether the delivery's own time is near enough, where the rule asks for one. */
export function isTimely({ timestamp }: HmacRule, webhook: IncomingWebhook, now: Date): boolean {
  if (timestamp === undefined) return true;
  const time = timestamp.read(webhook)?.getTime() ?? Number.NaN;
  // False for an invalid date, too.
  return Math.abs(now.getTime() - time) <= timestamp.toleranceSeconds * 1000;
}

function digestsOf({ signatures, prefix = '' }: HmacRule, header: string): readonly string[] {
  if (signatures !== undefined) return signatures(header);
  return header.startsWith(prefix) ? [header.slice(prefix.length)] : [];
}
