import { SignJWT } from 'jose';
import jwt from 'jsonwebtoken';
import type { JsonObject } from '#contract';
import type { SigningKey } from './signing-key.ts';

/** How far `iat` lies in the past, in seconds, so that a provider whose clock is behind does not get a token from the future. */
const ISSUED_AGO_SECONDS = 60;
/** The maximum part of a short lifetime by which `iat` lies in the past. */
const ISSUED_AGO_PART = 0.1;

interface Jwt {
  /** Further header members. `alg` is set by the key; `typ` defaults to `JWT`. */
  readonly header?: JsonObject;
  /** The claims; `iat`, `exp` and `nbf` are numbers: see `timeClaims`. */
  readonly claims: JsonObject;
}

/** Returns a signed JWT in the compact form (RFC 7515 §7.1). */
export async function signJwt({ header = {}, claims }: Jwt, { algorithm, key }: SigningKey): Promise<string> {
  const protectedHeader = { typ: 'JWT', ...header, alg: algorithm };
  // jsonwebtoken does not support EdDSA.
  if (algorithm === 'EdDSA') return new SignJWT(claims).setProtectedHeader(protectedHeader).sign(key);
  return jwt.sign(claims, key, { algorithm, header: protectedHeader, noTimestamp: claims['iat'] === undefined });
}

/** Returns `iat` and `exp` (RFC 7519 §4.1) of a token that is signed now. */
export function timeClaims(now: Date, lifetimeMs: number): { readonly iat: number; readonly exp: number } {
  const lifetimeSeconds = Math.floor(lifetimeMs / 1000);
  const issuedAgo = Math.min(ISSUED_AGO_SECONDS, Math.floor(lifetimeSeconds * ISSUED_AGO_PART));
  // Providers limit the time between both claims, so the end is counted from the first.
  const iat = Math.floor(now.getTime() / 1000) - issuedAgo;
  return { iat, exp: iat + lifetimeSeconds };
}
