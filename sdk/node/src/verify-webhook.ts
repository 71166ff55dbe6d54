import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const VERSION = 'v1,';

/** Headers as `fetch` or Node's HTTP server provides them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns whether a webhook was sent by the service and its timestamp is within five minutes of now (Standard Webhooks 1.0.0).
 *
 * @param rawBody the raw bytes, since parsing and serializing would change them
 * @param secret the webhook secret of the environment, `whsec_…`
 */
export function verifyWebhook(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string): boolean {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
  if (key.length === 0) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
  // While a secret is being replaced, the header contains one signature with the old secret and one with the new secret.
  const given = headerOf(headers, 'webhook-signature').split(' ');
  return given.some((signature) => isSame(signature, VERSION + expected));
}

/**
 * Verifies the header `X-Svc-Hmac-Sha256`, for receivers that support no other signature. It does not cover the timestamp, so it
 * does not prevent replay attacks.
 */
export function verifyWebhookHmac(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string): boolean {
  if (secret === '') return false;
  const expected = createHmac('sha256', secret).update(rawBody).digest('hex');
  return isSame(headerOf(headers, 'x-svc-hmac-sha256'), expected);
}

/** Compares two strings, in constant time if they have the same length. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** Returns the value of a header; empty if it is absent or repeated. */
function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : '';
}
