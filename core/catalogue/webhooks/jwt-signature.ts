import { createSecretKey } from 'node:crypto';
import { type CryptoKey, decodeProtectedHeader, jwtVerify } from 'jose';
import jwt from 'jsonwebtoken';
import type { IncomingWebhook, PublicKeyJwtRule } from '#contract';
import type { KeySets } from './key-sets.ts';

/**
 * Algorithms with which only the holder of a private key can sign. HS256 is not among them: anybody could sign with the public
 * key as secret.
 */
const KEY_PAIR_ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
/** Header parameters by which a token brings its own key, or requires extensions that are not supported (RFC 7515 §4.1). */
const REFUSED_MEMBERS = ['jku', 'jwk', 'x5u', 'x5c', 'crit'];
/** Matches one signature in the compact form, with nothing around it. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const MAX_CHARACTERS = 16_384;
const MAX_LIFE_SECONDS = 24 * 3_600;
const SKEW_SECONDS = 60;

interface TokenContext {
  readonly webhook: IncomingWebhook;
  readonly now: Date;
}

/** @throws ServiceError as `KeySets.find` */
export async function isPublicKeyJwtValid(
  keySets: Pick<KeySets, 'find'>,
  rule: PublicKeyJwtRule,
  { token, webhook, now }: TokenContext & { readonly token: string },
): Promise<boolean> {
  const header = headerOf(token);
  if (header?.alg === undefined || !KEY_PAIR_ALGORITHMS.includes(header.alg)) return false;
  const key = await keySets.find(rule.jwksUrl, header);
  if (key === undefined) return false;
  const audience = rule.audience === 'webhookUrl' ? addressesOf(webhook) : rule.audience.value;
  const pinned = { algorithms: KEY_PAIR_ALGORITHMS, issuer: rule.issuer, audience };
  return await isSignedByKeySet({ token, key, now }, pinned);
}

export function isSharedSecretJwtValid(token: string, secret: string, now: Date): boolean {
  if (headerOf(token)?.alg !== 'HS256' || secret === '') return false;
  const clockTimestamp = Math.floor(now.getTime() / 1000);
  try {
    // This makes even a text that looks like a PEM key a plain secret, never the key of a key pair.
    const key = createSecretKey(secret, 'utf8');
    const payload = jwt.verify(token, key, { algorithms: ['HS256'], clockTimestamp, clockTolerance: SKEW_SECONDS });
    return typeof payload === 'object' && isInTime(payload, { now, mayLackEnd: true });
  } catch {
    // Whatever is wrong with the token, it does not vouch for the delivery.
    return false;
  }
}

function headerOf(token: string): ReturnType<typeof decodeProtectedHeader> | undefined {
  if (token.length > MAX_CHARACTERS || !COMPACT.test(token)) return undefined;
  try {
    const header = decodeProtectedHeader(token);
    return REFUSED_MEMBERS.some((member) => Object.hasOwn(header, member)) ? undefined : header;
  } catch {
    return undefined;
  }
}

interface SignedToken {
  readonly token: string;
  readonly key: CryptoKey;
  readonly now: Date;
}

interface Pinned {
  readonly algorithms: string[];
  readonly issuer: string;
  readonly audience: string | string[];
}

async function isSignedByKeySet({ token, key, now }: SignedToken, pinned: Pinned): Promise<boolean> {
  try {
    const { payload } = await jwtVerify(token, key, { ...pinned, currentDate: now, clockTolerance: SKEW_SECONDS });
    return isInTime(payload, { now, mayLackEnd: false });
  } catch {
    // Whatever is wrong with the token or its key, it does not vouch for the delivery.
    return false;
  }
}

interface TimeClaims {
  readonly iat?: number | undefined;
  readonly exp?: number | undefined;
}

interface TokenTimes {
  readonly now: Date;
  /** True if a token may lack `exp`; such a token expires a day after it was issued. */
  readonly mayLackEnd: boolean;
}

function isInTime(payload: TimeClaims, { now, mayLackEnd }: TokenTimes): boolean {
  const { iat = 0 } = payload;
  // `iat` is a number of seconds (RFC 7519 §4.1.6).
  if (!Number.isFinite(iat)) return false;
  const { exp = mayLackEnd && iat > 0 ? iat + MAX_LIFE_SECONDS : Number.POSITIVE_INFINITY } = payload;
  const nowSeconds = now.getTime() / 1000;
  const isCurrent = exp > nowSeconds - SKEW_SECONDS && exp <= nowSeconds + MAX_LIFE_SECONDS + SKEW_SECONDS;
  return isCurrent && iat <= nowSeconds + SKEW_SECONDS;
}

function addressesOf({ url }: IncomingWebhook): string[] {
  const [withoutQuery = url] = url.split('?', 1);
  return [url, withoutQuery];
}
