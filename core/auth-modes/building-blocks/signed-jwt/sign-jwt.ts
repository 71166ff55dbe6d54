import { SignJWT } from 'jose';
import jwt from 'jsonwebtoken';
import type { JsonObject } from '#contract';
import type { SigningKey } from './signing-key.ts';

/**
 * How far `iat` is set back, in seconds, so that a provider whose clock is slow does not consider the token to be from the
 * future.
 */
const ISSUED_AGO_SECONDS = 60;
/** Maximum fraction of a token's lifetime by which `iat` is set back, so that a short lifetime is not used up by it. */
const ISSUED_AGO_PART = 0.1;

interface Jwt {
  /** Additional header parameters. `alg` is always that of the key; `typ` defaults to `JWT`. */
  readonly header?: JsonObject;
  /** The claims. `iat`, `exp` and `nbf` are seconds since 1970; see `timeClaims`. */
  readonly claims: JsonObject;
}

/** Returns a signed JWT in the compact form (RFC 7515 §7.1). */
export async function signJwt({ header = {}, claims }: Jwt, { algorithm, key }: SigningKey): Promise<string> {
  const protectedHeader = { typ: 'JWT', ...header, alg: algorithm };
  // jsonwebtoken does not support EdDSA.
  if (algorithm === 'EdDSA') return new SignJWT(claims).setProtectedHeader(protectedHeader).sign(key);
  return jwt.sign(claims, key, { algorithm, header: protectedHeader, noTimestamp: claims['iat'] === undefined });
}

/** Returns `iat` and `exp` (RFC 7519 §4.1) for a token that is about to be signed. */
export function timeClaims(now: Date, lifetimeMs: number): { readonly iat: number; readonly exp: number } {
  const lifetimeSeconds = Math.floor(lifetimeMs / 1000);
  const issuedAgo = Math.min(ISSUED_AGO_SECONDS, Math.floor(lifetimeSeconds * ISSUED_AGO_PART));
  // Providers limit the time from `iat` to `exp`, so the lifetime is counted from `iat`.
  const iat = Math.floor(now.getTime() / 1000) - issuedAgo;
  return { iat, exp: iat + lifetimeSeconds };
}
