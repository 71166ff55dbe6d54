import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { canary } from '../canaries.ts';
import { SIGNERS, type TokenPart, token } from './tokens.ts';
import { incoming } from './verification.ts';

export const NOW = new Date('2026-03-01T12:00:00Z');
export const SECONDS = NOW.getTime() / 1000;
export const DAY_SECONDS = 86_400;
export const ISSUER = 'https://push.example';
/** The claims of a valid token. */
export const CLAIMS = { iss: ISSUER, aud: incoming().url, iat: SECONDS, exp: SECONDS + 600 };

export const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const otherRsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const weakRsa = generateKeyPairSync('rsa', { modulusLength: 1024 });
export const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const ed = generateKeyPairSync('ed25519');
export const jwk = (key: KeyObject, more: TokenPart) => ({ ...key.export({ format: 'jwk' }), ...more });
export const octets = canary('a symmetric key in a key set');
/** The key set that the provider publishes. Some of the keys must not be used to verify tokens. */
export const KEYS = [
  jwk(rsa.publicKey, { kid: 'rsa', alg: 'RS256', use: 'sig' }),
  jwk(ec.publicKey, { kid: 'ec' }),
  jwk(ed.publicKey, { kid: 'ed' }),
  jwk(weakRsa.publicKey, { kid: 'weak' }),
  jwk(otherRsa.privateKey, { kid: 'private' }),
  jwk(otherRsa.publicKey, { kid: 'encryption', use: 'enc' }),
  { kty: 'oct', k: Buffer.from(octets).toString('base64url'), kid: 'oct' },
];
export const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
export const publicJwk = JSON.stringify(rsa.publicKey.export({ format: 'jwk' }));

export const byRsa = SIGNERS.rs256(rsa.privateKey);
export const rsaToken = (claims: TokenPart = {}, header: TokenPart = {}) =>
  token({ alg: 'RS256', kid: 'rsa', ...header }, { ...CLAIMS, ...claims }, byRsa);
export const without = (name: keyof typeof CLAIMS) => {
  const { [name]: _, ...claims } = CLAIMS;
  return token({ alg: 'RS256', kid: 'rsa' }, claims, byRsa);
};
