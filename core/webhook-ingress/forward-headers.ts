import type { WebhookRules } from '#contract';

const VERIFIED = 'svc-webhook-verified';
/**
 * Never passed on, whatever a plugin lists: credentials, what belongs to one hop (RFC 9110 §7.6.1), what we write ourselves, and
 * what a receiver takes for the word of its own proxy.
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
/** `webhook-`: Standard Webhooks, by which ours are signed. */
const WITHHELD_BEGINNINGS = ['content-', 'x-forwarded-', 'x-real-', 'svc-', 'x-svc-', 'webhook-'];

/**
 * The headers that a forward carries beside those of its own signature: those of the provider's signature and events, and ours
 * that says whether it was verified. A secret that is sent as it is stays here.
 *
 * @param facts `clientPrefix`: in small letters; our own signature may carry it in a header's name
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
  const beginnings = clientPrefix === undefined ? WITHHELD_BEGINNINGS : [...WITHHELD_BEGINNINGS, `x-${clientPrefix}-`];
  return WITHHELD.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
}
