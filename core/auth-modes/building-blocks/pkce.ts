import { createHash } from 'node:crypto';

/** Returns the `code_challenge` of a verifier by the method S256 (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}
