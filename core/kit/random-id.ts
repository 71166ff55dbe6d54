import { hash, randomBytes, randomUUID } from 'node:crypto';

const SECRET_BYTES = 32;

/** A UUID v4, for connections whose ID the caller did not choose. */
export function newConnectionId(): string {
  return randomUUID();
}

/** A key of the environment plane: `svc_sk_` and 43 base64url characters. */
export function newApiKey(): string {
  return `svc_sk_${newSecret()}`;
}

/** A key of the account plane: `svc_ak_` and 43 base64url characters. */
export function newAccountKey(): string {
  return `svc_ak_${newSecret()}`;
}

/** `svc_connect_session_` and 64 lower-case hex digits. */
export function newSessionToken(): string {
  return `svc_connect_session_${randomBytes(SECRET_BYTES).toString('hex')}`;
}

/** `whsec_` and base64 of 256 random bits, the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * 256 random bits as 43 base64url characters: OAuth states, browser IDs, and PKCE verifiers (RFC 7636 §4.1 asks for 43 to
 * 128).
 */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** What `Svc-Request-Id` carries. */
export function newRequestId(): string {
  return randomUUID();
}

/**
 * SHA-256 of a key or token, the form in which it is stored and looked up.
 *
 * Unsalted and fast on purpose: what is hashed has at least 128 bits of chance in it, so there is nothing to guess.
 */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
