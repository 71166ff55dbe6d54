import { createHash } from 'node:crypto';
import type { IncomingWebhook, SignatureRule, WebhookEvent, WebhookRules } from '#contract';
import type { VerifiedSignature } from '../catalogue/webhooks/verify-signature.ts';
import type { Logger } from '../kit/logger.ts';
import { askPlugin } from './ask-plugin.ts';
import { DEFAULT_RULES, defaultForwardHeaders } from './default-rules.ts';
import { contentText } from './delivery-content.ts';
import type { NewDelivery } from './delivery-writer.ts';
import type { Receiver } from './receivers.ts';

const VERIFIED = 'svc-webhook-verified';
/**
 * Headers that are never forwarded, even if a plugin lists them: credentials, hop-by-hop headers (RFC 9110 §7.6.1), the service's
 * own, and those that a receiver attributes to its own proxy.
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
/** `webhook-` belongs to the service's own signature (Standard Webhooks). */
const WITHHELD_PREFIXES = ['content-', 'x-forwarded-', 'x-real-', 'svc-', 'x-svc-', 'webhook-'];

const DAY_MS = 24 * 3_600_000;
/**
 * Time within which equal deliveries without ID and signed time are duplicates: a provider without a response retries after
 * seconds or minutes, and equal deliveries that are further apart may be two events.
 */
const UNMARKED_MS = 10 * 60_000;

interface ReadWebhook {
  readonly webhook: IncomingWebhook;
  /** The received JSON of the payload, if the body is JSON. */
  readonly json: string | undefined;
  readonly events: readonly WebhookEvent[];
  readonly verdict: VerifiedSignature<{ readonly id: number; readonly connectionConfig: object; readonly metadata: object }>;
  readonly registeredFor: string | undefined;
}

/** Returns the delivery to store. @throws ServiceError `webhook_invalid_payload` if it is too large */
export function newDelivery(
  deps: { readonly log: Logger; readonly clientPrefix?: string | undefined },
  receiver: Receiver,
  { webhook, json, events, verdict, registeredFor }: ReadWebhook,
): NewDelivery {
  const { clientPrefix } = deps;
  const { integration, rules } = receiver;
  const { verified, hasSignedTime, connections } = verdict;
  const listed = rules === DEFAULT_RULES ? defaultForwardHeaders(webhook.headers) : rules.forwardHeaders;
  const headers = forwardHeaders({ ...rules, forwardHeaders: listed }, webhook.headers, { verified, clientPrefix });
  const run = () => rules.deliveryId?.(webhook);
  const id = askPlugin(deps, receiver, { rule: 'deliveryId', run, fallback: undefined });
  return {
    environmentId: integration.environmentId,
    integrationId: integration.id,
    verified,
    content: contentText(
      { events, payload: webhook.payload, json },
      {
        headers,
        ...(connections && { only: connections.map((one) => one.id) }),
        ...(registeredFor !== undefined && { registeredFor }),
      },
    ),
    repeatsWithinMs: hasId(id) || hasSignedTime ? DAY_MS : UNMARKED_MS,
    key: duplicateKey(rules, webhook, { id, verified, registeredFor }),
  };
}

interface DeliveryFacts {
  readonly id: string | undefined;
  readonly verified: boolean;
  /** The connection whose registered address the delivery was sent to. */
  readonly registeredFor?: string | undefined;
}

/**
 * Returns the key of a delivery and its duplicates: the provider's ID, or query, signature and body. It includes whether the
 * delivery was verified, so that nobody else can use up an ID, and the connection of its URL, since some providers use one ID for
 * several registrations.
 *
 * @returns 32 bytes
 */
function duplicateKey(
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

/** Returns whether the provider identifies the delivery. */
function hasId(id: string | undefined): id is string {
  return typeof id === 'string' && id !== '';
}

function queryOf({ url }: IncomingWebhook): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

/** Returns the signature that a rule refers to; the header of a token rule contains the token itself. */
function signatureOf(rule: SignatureRule, { headers }: IncomingWebhook): string | null {
  if ('header' in rule) return headers[rule.header.toLowerCase()] ?? null;
  return rule.scheme === 'jwt' ? (headers['authorization'] ?? null) : null;
}

/**
 * Returns the headers of a forwarded webhook besides those of the service's signature: the provider's signature and event
 * headers, and whether the delivery was verified. A secret in a header is not forwarded.
 *
 * @param facts `clientPrefix`: in lower case; used in the name of a signature header
 */
function forwardHeaders(
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
