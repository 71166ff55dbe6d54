import type { HmacRule, IncomingWebhook, IntegrationSecrets, SignatureRule } from '#contract';
import type { KeySets } from '../../../core/catalogue/webhooks/key-sets.ts';
import {
  type ConnectionSecrets,
  ruleFor,
  type SignedDelivery,
  verifySignature,
} from '../../../core/catalogue/webhooks/verify-signature.ts';
import { ServiceError } from '../../../core/errors.ts';
import type { Clock } from '../../../core/kit/clock.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import { forge } from './schemes.ts';

const PATH = '/webhook/5a1b9a52-5f0c-4f6f-9d0e-0b0f2f7f5f10/tracker';
const NO_KEYS: Pick<KeySets, 'find'> = { find: () => Promise.reject(new Error('no key set is expected to be asked for')) };

export const MISSING = 'webhook_missing_signature';
export const INVALID = 'webhook_invalid_signature';
/** A rule for the digest of the body in hex, in the header `x-signature`. */
export const HMAC = {
  scheme: 'hmac',
  algorithm: 'sha256',
  header: 'x-signature',
  encoding: 'hex',
  secret: { in: 'webhookSecret' },
  withoutSecret: 'refuse',
} as const satisfies HmacRule;

/** The outcome of a delivery: accepted with or without verification, or the code of the error with which it was refused. */
export type Verification = 'verified' | 'unverified' | string;

interface VerificationOptions {
  readonly clock?: Clock;
  readonly keySets?: Pick<KeySets, 'find'>;
  /** Receives each log line. */
  readonly write?: (line: string) => void;
}

/** Returns a delivery with the given parts, and defaults for the others. */
export function incoming(parts: Partial<IncomingWebhook> = {}): IncomingWebhook {
  const url = `https://svc.example${PATH}`;
  return { method: 'POST', url, headers: {}, query: {}, rawBody: Buffer.from('{"id": 1}'), payload: { id: 1 }, ...parts };
}

/** Returns a delivery that is signed by the rule `HMAC`. */
export function signed(secret: string): IncomingWebhook {
  const { rawBody } = incoming();
  return incoming({ headers: { 'x-signature': forge('sha256', secret, Buffer.from(rawBody)).toString('hex') } });
}

/** Returns the secrets of an integration that has only the given ones. */
export function integrationWith(secrets: Partial<IntegrationSecrets>): IntegrationSecrets {
  return { clientId: undefined, clientSecret: undefined, webhookSecret: undefined, config: {}, ...secrets };
}

type DeliveryFacts<C extends ConnectionSecrets> = Partial<SignedDelivery<C>> & Pick<SignedDelivery<C>, 'webhook' | 'integration'>;

/**
 * Verifies a delivery by the rules in `signature`.
 *
 * @throws any error that the service would not send to the provider as a response
 */
export async function verifyDelivery<C extends ConnectionSecrets>(
  signature: readonly [SignatureRule, ...SignatureRule[]],
  { connections = [], handshakeSecrets = [], ...delivery }: DeliveryFacts<C>,
  { clock = { now: () => new Date() }, keySets = NO_KEYS, write = () => undefined }: VerificationOptions = {},
): Promise<{
  readonly verification: Verification;
  readonly connections?: readonly C[] | undefined;
  readonly error?: ServiceError;
}> {
  const log = createLogger({ level: 'debug', write });
  try {
    const rule = ruleFor({ log }, { signature }, delivery);
    const outcome = await verifySignature({ clock, keySets, log }, rule, { connections, handshakeSecrets, ...delivery });
    return { verification: outcome.verified ? 'verified' : 'unverified', connections: outcome.connections };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { verification: error.code, error };
  }
}
