import { type IncomingWebhook, type IntegrationSecrets, type ProviderDefinition, textAt, type WebhookReply } from '#contract';
import { timingSafeEqualText } from '../../kit/timing-safe-equal.ts';
import { readerOf } from './delivery-values.ts';

type DeclaredHandshake = NonNullable<NonNullable<ProviderDefinition['webhook']>['handshake']>[number];

/**
 * A challenge. The limit is longer than any provider's; the challenge is sent back as plain text or JSON, never as a page, since
 * anybody may send one.
 */
const CHALLENGE = /^[\x20-\x7e]{1,1024}$/;
// RFC 9110 §5.5, without a space at either end.
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const WEBHOOK_SECRET = '${webhookSecret}';
const CONFIGURATION = /^\$\{integration\.(.+)\}$/;

/** The response to a provider that checks the webhook address. */
export interface HandshakeAnswer {
  readonly reply: WebhookReply;
  /** True if the request contained a value that can only be known from the integration's settings. */
  readonly isProven: boolean;
  /**
   * The secret that the provider chose for one registered address, to be stored with the connection that the address was
   * registered for.
   */
  readonly secret?: string;
}

/**
 * Answers a request; returns undefined if the request is not this handshake.
 *
 * @param integration the current settings, then those with the previous webhook secret
 */
export type Handshake = (webhook: IncomingWebhook, integration: readonly IntegrationSecrets[]) => HandshakeAnswer | undefined;

/** Compiles `webhook.handshake` of a definition. */
export function declaredHandshakes({ webhook }: Pick<ProviderDefinition, 'webhook'>): readonly Handshake[] {
  return (webhook?.handshake ?? []).map(handshakeOf);
}

function handshakeOf(declared: DeclaredHandshake): Handshake {
  const { method, when = [], echo, keep_secret: keepsSecret } = declared;
  const readChallenge = readerOf(echo);
  const conditions = when.map(({ path, equals }) => ({ read: readerOf(path), equals }));
  const isProof = conditions.some(({ equals = '' }) => equals.includes('${'));
  return (webhook, integration) => {
    if (webhook.method !== method) return undefined;
    const holds = conditions.every(({ read, equals }) => isExpected(read({ webhook }), equals, integration));
    const challenge = holds ? readChallenge({ webhook }) : undefined;
    const reply = challenge === undefined || !CHALLENGE.test(challenge) ? undefined : replyWith(challenge, declared);
    return reply && { reply, isProven: isProof, ...(keepsSecret && challenge !== undefined && { secret: challenge }) };
  };
}

/** @param equals undefined: any value is accepted */
function isExpected(value: string | undefined, equals: string | undefined, integration: readonly IntegrationSecrets[]): boolean {
  if (value === undefined || equals === undefined) return value !== undefined;
  return expectedTexts(equals, integration).some((text) => timingSafeEqualText(value, text));
}

/**
 * Returns the texts that `equals` stands for; none if the integration has no such value, since an empty one would let everybody
 * pass.
 */
export function expectedTexts(equals: string, integration: readonly IntegrationSecrets[]): readonly string[] {
  const [, field] = CONFIGURATION.exec(equals) ?? [];
  if (field === undefined && equals !== WEBHOOK_SECRET) return [equals];
  const texts = integration.map(({ webhookSecret, config }) => (field === undefined ? webhookSecret : textAt(config, field)));
  return texts.filter((text) => text !== undefined && text !== '') as string[];
}

function replyWith(challenge: string, { as, status = 200 }: DeclaredHandshake): WebhookReply | undefined {
  if (as === 'text') return { status, headers: { 'content-type': 'text/plain' }, body: challenge };
  if ('json' in as) return { status, body: JSON.stringify({ [as.json]: challenge }) };
  return HEADER_VALUE.test(challenge) ? { status, headers: { [as.header.toLowerCase()]: challenge }, body: '' } : undefined;
}
