import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'whsec_';
const VERSION = 'v1,';

/** As `fetch` or Node's server give them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether a webhook is one of the service's, and was sent within five minutes of now (Standard Webhooks 1.0.0).
 *
 * @param rawBody the bytes as they came: parsed and written anew they are others
 * @param secret of the environment, `whsec_…`
 */
export function verifyWebhook(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string): boolean {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;
  const key = Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
  if (key.length === 0) return false;
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(rawBody).digest('base64');
  // While a secret is exchanged there is one of each.
  const given = headerOf(headers, 'webhook-signature').split(' ');
  return given.some((signature) => isSame(signature, VERSION + expected));
}

/**
 * The same by the header `X-Svc-Hmac-Sha256`, for receivers that have no other. It says nothing of the time: whoever has seen a
 * webhook once can send it again.
 */
export function verifyWebhookHmac(rawBody: string | Uint8Array, headers: WebhookHeaders, secret: string): boolean {
  if (secret === '') return false;
  const expected = createHmac('sha256', secret).update(rawBody).digest('hex');
  return isSame(headerOf(headers, 'x-svc-hmac-sha256'), expected);
}

/** In constant time for texts of one length. */
function isSame(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** Empty where there is none, or more than one. */
function headerOf(headers: WebhookHeaders, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : '';
}
