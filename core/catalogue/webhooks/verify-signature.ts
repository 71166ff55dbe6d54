import { createHmac, createSecretKey } from 'node:crypto';
import type {
  CustomRule,
  HmacRule,
  IncomingWebhook,
  IntegrationSecrets,
  JsonObject,
  JwtRule,
  SecretSource,
  SignatureRule,
  TokenRule,
  WebhookRules,
} from '#contract';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { timingSafeEqualText } from '../../kit/timing-safe-equal.ts';
import { SecretHider } from '../plugins/hide-secrets.ts';
import { isPublicKeyJwtValid, isSharedSecretJwtValid } from './jwt-signature.ts';
import type { KeySets } from './key-sets.ts';

interface SignatureDeps {
  readonly clock: Clock;
  readonly keySets: Pick<KeySets, 'find'>;
  readonly log: Logger;
}

/** The result of verifying a delivery that is not refused. */
export interface VerifiedSignature<C> {
  /** False if the rules accept the delivery although nothing proves that the provider sent it. */
  readonly verified: boolean;
  /**
   * True if the signature covers the time of sending: a second delivery with the same signature is then the same delivery again.
   */
  readonly hasSignedTime?: boolean;
  /** Set when secrets of connections were used: the delivery is for these connections only, whatever else its events name. */
  readonly connections?: readonly C[];
}

interface SignatureCheck<C extends ConnectionSecrets> {
  readonly deps: SignatureDeps;
  readonly ask: AskPlugin;
  readonly delivery: SignedDelivery<C>;
}

/** A rule with the delivery's signature, to be checked against each secret that may have signed. */
interface SecretCheck {
  readonly rule: Pick<HmacRule, 'secret'> & Partial<Pick<HmacRule, 'withoutSecret' | 'timestamp'>>;
  readonly isSigned: boolean;
  readonly isValid: (secret: string) => boolean | Promise<boolean>;
}

/**
 * Returns the first rule that applies to a delivery. Its `secret` says which secrets `verifySignature` needs.
 *
 * @throws ServiceError `webhook_missing_signature` when no rule applies; `webhook_invalid_payload` when the plugin's `when` throws
 */
export function ruleFor(
  { log }: Pick<SignatureDeps, 'log'>,
  { signature }: Pick<WebhookRules, 'signature'>,
  { webhook, integration }: Pick<SignedDelivery<never>, 'webhook' | 'integration'>,
): SignatureRule {
  const ask = askPlugin(log, integration);
  const rule = signature.find((one) => ask(() => one.when === undefined || one.when(webhook, integration[0])));
  if (rule === undefined) throw missing();
  return rule;
}

/**
 * Verifies a delivery by a rule.
 *
 * @throws ServiceError `webhook_missing_signature` when the delivery has no signature; `webhook_invalid_signature` when no secret
 *   or key of the provider confirms it; `webhook_invalid_payload` when a function of the plugin throws; `provider_unavailable`
 *   when the provider's keys cannot be fetched
 */
export async function verifySignature<C extends ConnectionSecrets>(
  deps: SignatureDeps,
  rule: SignatureRule,
  delivery: SignedDelivery<C>,
): Promise<VerifiedSignature<C>> {
  const check = { deps, ask: askPlugin(deps.log, delivery.integration), delivery };
  switch (rule.scheme) {
    case 'hmac':
    case 'token':
    case 'custom':
      return await bySecret(check, secretCheck(check, rule));
    case 'jwt':
      return await byToken(check, rule);
    case 'unverified':
      check.deps.log.info('the signature of a delivery is not verified', { reason: rule.reason });
      return { verified: false };
    default:
      // A plugin written for a newer contract may have a scheme that this version does not know.
      throw invalid();
  }
}

function secretCheck<C extends ConnectionSecrets>(
  { ask, deps, delivery }: SignatureCheck<C>,
  rule: HmacRule | TokenRule | CustomRule,
): SecretCheck {
  const webhook = rule.scheme !== 'token' && rule.over === 'packed' ? asItCame(delivery.webhook) : delivery.webhook;
  // Only `true` from a plugin's own check counts: a promise, for example, proves nothing.
  if (rule.scheme === 'custom') {
    return { rule, isSigned: true, isValid: (secret) => ask(() => rule.isValid(webhook, secret), { secret }) === true };
  }
  const signature = webhook.headers[rule.header] ?? '';
  if (rule.scheme === 'token')
    return { rule, isSigned: signature !== '', isValid: (secret) => timingSafeEqualText(signature, secret) };
  const now = deps.clock.now();
  const isValid = (secret: string) => ask(() => isTimely(rule, webhook, now) && isHmacValid(rule, webhook, secret), { secret });
  return { rule, isSigned: signature !== '', isValid };
}

/**
 * Returns the delivery with its body as it was received, perhaps compressed, for rules whose signature covers those bytes.
 * `payload` stays a getter, so that it is parsed only if needed.
 */
function asItCame(webhook: IncomingWebhook): IncomingWebhook {
  const { method, url, headers, query, rawBody, packedBody = rawBody } = webhook;
  return {
    method,
    url,
    headers,
    query,
    rawBody: packedBody,
    packedBody,
    get payload() {
      return webhook.payload;
    },
  };
}

async function bySecret<C extends ConnectionSecrets>(
  check: SignatureCheck<C>,
  { rule, isSigned, isValid }: SecretCheck,
): Promise<VerifiedSignature<C>> {
  const candidates = findSecrets(check.ask, rule.secret, check.delivery);
  if (candidates.length === 0 && rule.withoutSecret === 'accept') return { verified: false };
  if (!isSigned) throw missing();

  const results = await Promise.all(candidates.map(({ secret }) => isValid(secret)));
  const signers = candidates.filter((_, at) => results[at]);
  if (signers.length === 0) throw invalid();
  const connections = signers.flatMap(({ connection }) => connection ?? []);
  return {
    verified: true,
    hasSignedTime: rule.timestamp !== undefined,
    ...(rule.secret.in === 'connection' && { connections }),
  };
}

async function byToken<C extends ConnectionSecrets>(check: SignatureCheck<C>, rule: JwtRule): Promise<VerifiedSignature<C>> {
  const { webhook } = check.delivery;
  const now = check.deps.clock.now();
  const token = check.ask(() => rule.read(webhook)) ?? '';
  if ('secret' in rule) {
    return await bySecret(check, {
      rule,
      isSigned: token !== '',
      isValid: (secret) => isSharedSecretJwtValid(token, secret, now),
    });
  }
  if (token === '') throw missing();
  if (!(await isPublicKeyJwtValid(check.deps.keySets, rule, { token, webhook, now }))) throw invalid();
  return { verified: true };
}

/**
 * Returns a function that runs code of the plugin. If the code throws, the delivery is refused as invalid, not with an error of
 * the service: otherwise the provider would send it again.
 */
function askPlugin(log: Logger, integration: readonly IntegrationSecrets[]): AskPlugin {
  return (run, hidden = {}) => {
    try {
      return run();
    } catch (cause) {
      const hider = new SecretHider({ accessToken: '', raw: { integration, hidden } });
      const error = hider.error(cause);
      log.error('a plugin failed to process a delivery', { rule: 'webhook.signature', error });
      throw new ServiceError('webhook_invalid_payload', 'the delivery cannot be parsed', { cause: error });
    }
  };
}

function missing(): ServiceError {
  return new ServiceError('webhook_missing_signature', 'the delivery is not signed');
}

function invalid(): ServiceError {
  return new ServiceError('webhook_invalid_signature', 'the signature of the delivery is not valid');
}

/**
 * Returns whether one of the digests in the header is that of the signed bytes. Digests are compared as texts, since a lenient
 * decoder would accept many texts for the same bytes.
 */
export function isHmacValid(rule: HmacRule, webhook: IncomingWebhook, secret: string): boolean {
  const key = rule.key === undefined ? Buffer.from(secret, 'utf8') : rule.key(secret);
  // A malformed secret may decode to nothing, and anybody can sign with an empty key.
  if (key.byteLength === 0) return false;
  const signed = rule.signedBytes === undefined ? webhook.rawBody : rule.signedBytes(webhook);
  // Plain bytes as the key would take three times as long: Node would first try to read them as each kind of key.
  const expected = createHmac(rule.algorithm, createSecretKey(key)).update(signed).digest(rule.encoding);
  return digestsOf(rule, webhook.headers[rule.header] ?? '').some((digest) => timingSafeEqualText(digest, expected));
}

/** Returns whether the time in the delivery is close enough to `now`; true if the rule requires no time. */
export function isTimely({ timestamp }: HmacRule, webhook: IncomingWebhook, now: Date): boolean {
  if (timestamp === undefined) return true;
  const time = timestamp.read(webhook)?.getTime() ?? Number.NaN;
  // The comparison is false for an invalid date, too.
  return Math.abs(now.getTime() - time) <= timestamp.toleranceSeconds * 1000;
}

function digestsOf({ signatures, prefix = '' }: HmacRule, header: string): readonly string[] {
  if (signatures !== undefined) return signatures(header);
  return header.startsWith(prefix) ? [header.slice(prefix.length)] : [];
}

/**
 * The parts of a connection that a webhook's secret may be read from; decrypted, including the secret fields of its
 * configuration.
 */
export interface ConnectionSecrets {
  readonly connectionConfig: JsonObject;
  readonly metadata: JsonObject;
}

/** A delivery whose signature is to be verified, with the sources of the secrets. */
export interface SignedDelivery<C extends ConnectionSecrets> {
  readonly webhook: IncomingWebhook;
  /** The current settings; then, for a day after a change, those with the previous webhook secret. */
  readonly integration: readonly [now: IntegrationSecrets, ...before: IntegrationSecrets[]];
  /** The connections that the delivery's events name; needed only if the rule's secrets are kept on connections (`secret.in`). */
  readonly connections: readonly C[];
  /**
   * The secrets that handshakes brought to the delivery's webhook address; needed only if the rule's secrets come from
   * handshakes.
   */
  readonly handshakeSecrets: readonly string[];
}

/** A secret that may have signed; never empty. `connection` is the one that it is kept on, if any. */
interface SecretCandidate<C> {
  readonly secret: string;
  readonly connection?: C;
}

/**
 * Runs a function of the plugin.
 *
 * @param hidden values that its error must not quote, in addition to the secrets of the integration; their names must suggest
 *   secrets
 * @throws ServiceError `webhook_invalid_payload` when the function throws
 */
type AskPlugin = <T>(run: () => T, hidden?: JsonObject) => T;

/** Returns the secrets that may have signed the delivery. An empty secret counts as none: anybody could sign with it. */
function findSecrets<C extends ConnectionSecrets>(
  ask: AskPlugin,
  source: SecretSource,
  delivery: SignedDelivery<C>,
): SecretCandidate<C>[] {
  if (source.in === 'handshake') return delivery.handshakeSecrets.map((secret) => ({ secret }));
  if (source.in !== 'connection') {
    const read = source.in === 'integration' ? source.read : (integration: IntegrationSecrets) => integration[source.in];
    const secrets = delivery.integration.map((integration) => ask(() => read(integration)));
    return [...new Set(secrets)].flatMap((secret) => (isSecret(secret) ? [{ secret }] : []));
  }
  return delivery.connections.flatMap((connection) => {
    const { connectionConfig, metadata } = connection;
    const secret = ask(() => source.read({ connectionConfig, metadata }), { connectionConfig, metadata });
    return isSecret(secret) ? [{ secret, connection }] : [];
  });
}

function isSecret(secret: unknown): secret is string {
  return typeof secret === 'string' && secret !== '';
}
