import type { WebhookRules } from '#contract';

const VERIFIED = 'svc-webhook-verified';
/**
 * Never forwarded, even if a plugin lists them: credentials, hop-by-hop headers (RFC 9110 §7.6.1), our own, and those that a
 * receiver attributes to its own proxy.
 */
const WITHHELD: ReadonlySet<string> = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'host',
  'forwarded',
  'via',
  'user-agent',
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);
/** `webhook-`: our own signature (Standard Webhooks). */
const WITHHELD_PREFIXES = ['content-', 'x-forwarded-', 'x-real-', 'svc-', 'x-svc-', 'webhook-'];

/**
 * The headers of a forwarded message besides those of our signature: the provider's signature and event headers, and whether it
 * was verified. A secret in a header is not forwarded.
 *
 * @param facts `clientPrefix`: in lower case; used in the name of a signature header
 */
export function forwardHeaders(
  {
    signature,
    forwardHeaders: listed = [],
  }: Pick<WebhookRules, 'signature'> & { readonly forwardHeaders?: readonly string[] | undefined },
  arrived: Readonly<Record<string, string>>,
  { verified, clientPrefix }: { readonly verified: boolean; readonly clientPrefix?: string | undefined },
): Record<string, string> {
  const signed = signature.flatMap((rule) => (rule.scheme === 'hmac' ? [rule.header] : []));
  const secret = new Set(signature.flatMap((rule) => (rule.scheme === 'token' ? [rule.header.toLowerCase()] : [])));
  const names = [...signed, ...listed].map((name) => name.toLowerCase());
  const passed = names.filter((name) => !secret.has(name) && !isWithheld(name, clientPrefix));
  const entries = passed.flatMap((name) => {
    const value = Object.hasOwn(arrived, name) ? arrived[name] : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(entries), [VERIFIED]: String(verified) };
}

function isWithheld(name: string, clientPrefix: string | undefined): boolean {
  const prefixes = clientPrefix === undefined ? WITHHELD_PREFIXES : [...WITHHELD_PREFIXES, `x-${clientPrefix}-`];
  return WITHHELD.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
