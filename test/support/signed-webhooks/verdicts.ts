import type { HmacRule, IncomingWebhook, IntegrationSecrets, SignatureRule } from '#contract';
import { ServiceError } from '../../../core/errors.ts';
import type { Clock } from '../../../core/kit/clock.ts';
import { createLogger } from '../../../core/kit/logger.ts';
import type { KeySets } from '../../../core/plugin-host/key-sets.ts';
import { type ConnectionSecrets, type SignedDelivery, verifySignature } from '../../../core/plugin-host/verify-signature.ts';
import { forge } from './schemes.ts';

const PATH = '/webhook/5a1b9a52-5f0c-4f6f-9d0e-0b0f2f7f5f10/tracker';
const NO_KEYS: Pick<KeySets, 'find'> = { find: () => Promise.reject(new Error('no key set is expected to be asked for')) };

export const MISSING = 'webhook_missing_signature';
export const INVALID = 'webhook_invalid_signature';
/** The body's digest in hex, in the header `x-signature`. */
export const HMAC = {
  scheme: 'hmac',
  algorithm: 'sha256',
  header: 'x-signature',
  encoding: 'hex',
  secret: { in: 'webhookSecret' },
  withoutSecret: 'refuse',
} as const satisfies HmacRule;

/** How a delivery was judged: let through verified or not, or the code it was refused with. */
export type Judged = 'verified' | 'unverified' | string;

interface Judgement {
  readonly clock?: Clock;
  readonly keySets?: Pick<KeySets, 'find'>;
  /** Takes the lines that are logged. */
  readonly write?: (line: string) => void;
}

/** A delivery with these parts. */
export function incoming(parts: Partial<IncomingWebhook> = {}): IncomingWebhook {
  const url = `https://svc.example${PATH}`;
  return { method: 'POST', url, headers: {}, query: {}, rawBody: Buffer.from('{"id": 1}'), payload: { id: 1 }, ...parts };
}

/** A delivery that is signed as `HMAC` says. */
export function signed(secret: string): IncomingWebhook {
  const { rawBody } = incoming();
  return incoming({ headers: { 'x-signature': forge('sha256', secret, Buffer.from(rawBody)).toString('hex') } });
}

/** What an integration has, nothing but what is given. */
export function integrationWith(secrets: Partial<IntegrationSecrets>): IntegrationSecrets {
  return { clientId: undefined, clientSecret: undefined, webhookSecret: undefined, config: {}, ...secrets };
}

/** Judges a delivery by the rules; faults that are no response to the sender are thrown. */
export async function judge<C extends ConnectionSecrets>(
  signature: readonly [SignatureRule, ...SignatureRule[]],
  { connections = async () => [], ...delivery }: Partial<SignedDelivery<C>> & Omit<SignedDelivery<C>, 'connections'>,
  { clock = { now: () => new Date() }, keySets = NO_KEYS, write = () => undefined }: Judgement = {},
): Promise<{ readonly judged: Judged; readonly connections?: readonly C[] | undefined; readonly error?: ServiceError }> {
  const log = createLogger({ level: 'debug', write });
  try {
    const verdict = await verifySignature({ clock, keySets, log }, { signature }, { connections, ...delivery });
    return { judged: verdict.verified ? 'verified' : 'unverified', connections: verdict.connections };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { judged: error.code, error };
  }
}
