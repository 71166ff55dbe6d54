import { createHash } from 'node:crypto';
import { newSecret } from '../../kit/random-id.ts';

/**
 * Creates a `code_verifier` (RFC 7636 §4.1). It is stored encrypted with the flow until the callback
 * (`connect/flows/flow-store.ts`).
 */
export function newVerifier(): string {
  return newSecret();
}

/** Returns the `code_challenge` of a verifier by the method S256 (RFC 7636 §4.2). */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier, 'ascii').digest('base64url');
}
