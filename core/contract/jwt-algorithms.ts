/** Algorithms with which a JWT is signed (RFC 7518 §3.1, RFC 8037 §3.1). */
export const JWT_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'HS256',
  'HS384',
  'HS512',
  'EdDSA',
] as const;
export type JwtAlgorithm = (typeof JWT_ALGORITHMS)[number];

/** Encodings in which the text of a signing key may be given. */
export const KEY_ENCODINGS = ['utf8', 'hex', 'base64', 'pem'] as const;
export type KeyEncoding = (typeof KEY_ENCODINGS)[number];

/** Returns whether an algorithm is an HMAC: its key is a secret that both sides have, not a key pair (RFC 7518 §3.2). */
export function hasSecretKey(algorithm: JwtAlgorithm): boolean {
  return algorithm.startsWith('HS');
}
