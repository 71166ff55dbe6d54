import { hash, randomBytes, randomUUID } from 'node:crypto';

const SECRET_BYTES = 32;

/** Creates a UUID v4, for connections whose ID the caller did not choose. */
export function newConnectionId(): string {
  return randomUUID();
}

/** Creates an environment key: `svc_sk_` and 43 base64url characters. */
export function newApiKey(): string {
  return `svc_sk_${newSecret()}`;
}

/** Creates an account key: `svc_ak_` and 43 base64url characters. */
export function newAccountKey(): string {
  return `svc_ak_${newSecret()}`;
}

/** Creates a session token: `svc_connect_session_` and 64 lower-case hex digits. */
export function newSessionToken(): string {
  return `svc_connect_session_${randomBytes(SECRET_BYTES).toString('hex')}`;
}

/** Creates a webhook secret: `whsec_` and base64 of 256 random bits, the form of Standard Webhooks. */
export function newWebhookSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/**
 * Creates 256 random bits as 43 base64url characters, for OAuth states, browser IDs, and PKCE verifiers (RFC 7636 §4.1 asks for
 * 43 to 128).
 */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Creates the value of the header `Svc-Request-Id`: a UUID v7, so that an index of them grows at its end. */
export function newRequestId(): string {
  return newTimedId(new Date());
}

/** Creates a UUID v7 (RFC 9562 §5.7): the time in milliseconds, then random bits. */
export function newTimedId(at: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the time in a UUID v7; undefined for any other text. */
export function timeOfId(id: string): Date | undefined {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.exec(id) ?? [];
  return high === undefined || low === undefined ? undefined : new Date(Number.parseInt(high + low, 16));
}

/**
 * Returns the SHA-256 of a key or token, the form in which it is stored and looked up.
 *
 * It is deliberately fast and unsalted: the text has at least 128 random bits, so it cannot be guessed.
 */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
