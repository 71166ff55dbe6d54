import type { Json } from '#contract';
import { parseJson } from '../kit/exact-json.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import { type SharedPayload, withPayload } from '../webhook-delivery/payload.ts';

/** Maximum size of a payload's JSON for a script, in UTF-8. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** The argument of `onWebhook`. */
export interface WebhookOfScript extends WebhookHead {
  readonly payload: Json;
  /** True when the payload is null because it is too large for a script. */
  readonly truncated?: true;
}

/** The argument without the payload. */
export interface WebhookHead {
  /** The type of the event; empty if the provider's webhooks have none. */
  readonly type: string;
  /** The same headers as in the forwarded webhook. */
  readonly headers: Readonly<Record<string, string>>;
  readonly verified: boolean;
}

/** A delivery's event, with its payload or the payload's row ID. */
type QueuedWebhook = WebhookOfScript | ReferringWebhook;

interface ReferringWebhook extends WebhookHead {
  readonly payloadId: number;
}

/** The connection that the script runs for. */
interface Recipient {
  readonly environmentId: number;
  /** Row ID of the connection. */
  readonly connection: number;
}

/**
 * Returns the JSON of a `QueuedWebhook` to encrypt.
 *
 * @param payload included if it was not stored in a row of its own; undefined when it is too large
 */
export function webhookText(head: WebhookHead, payload: SharedPayload | undefined): string {
  if (payload === undefined) return JSON.stringify({ ...head, payload: null, truncated: true } satisfies QueuedWebhook);
  const { reference, text } = payload;
  if (reference === undefined) return withPayload(JSON.stringify(head), text);
  return JSON.stringify({ ...head, payloadId: reference.id } satisfies QueuedWebhook);
}

export function sealWebhook(keys: KeyRing, recipient: Recipient, text: string): Buffer {
  return keys.encrypt(text, queuedWebhookPlace(recipient));
}

/** Decrypts the event of a queued script. @throws KeyRingError if it cannot be decrypted */
export function openWebhook(keys: KeyRing, recipient: Recipient, sealed: Buffer): QueuedWebhook {
  return parseJson(keys.decrypt(sealed, queuedWebhookPlace(recipient)));
}

export function isSubscribed(subscriptions: readonly string[], type: string): boolean {
  return subscriptions.includes('*') || (type !== '' && subscriptions.includes(type));
}

/**
 * Returns the place that the encrypted value is bound to. It names the connection, since the row has no ID yet when the value is
 * encrypted.
 */
export function queuedWebhookPlace({ environmentId, connection }: Recipient): Place {
  return { table: 'script_queue', column: 'webhook', environmentId, rowId: 0, boundTo: `connection ${connection}` };
}
