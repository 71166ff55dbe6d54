import type { Json } from '#contract';
import { parseJson } from '../kit/exact-json.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import { type SharedPayload, withPayload } from '../webhook-delivery/payload.ts';

/** The maximum of a payload's JSON for a script, in UTF-8. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** The argument of `onWebhook`. */
export interface WebhookOfScript extends WebhookHead {
  readonly payload: Json;
  /** The payload is null, since it is too large for a script. */
  readonly truncated?: true;
}

/** The argument without the payload. */
export interface WebhookHead {
  /** Empty if the provider has none. */
  readonly type: string;
  /** As in the forwarded message. */
  readonly headers: Readonly<Record<string, string>>;
  readonly verified: boolean;
}

/** A webhook, with its payload or the payload's row ID. */
type QueuedWebhook = WebhookOfScript | ReferringWebhook;

interface ReferringWebhook extends WebhookHead {
  readonly payloadId: number;
}

/** The connection of the script. */
interface Recipient {
  readonly environmentId: number;
  /** Row ID of the connection. */
  readonly connection: number;
}

/** The JSON of a `QueuedWebhook` to encrypt. @param payload included if it was not stored; undefined: it is too large */
export function webhookText(head: WebhookHead, payload: SharedPayload | undefined): string {
  if (payload === undefined) return JSON.stringify({ ...head, payload: null, truncated: true } satisfies QueuedWebhook);
  const { reference, text } = payload;
  if (reference === undefined) return withPayload(JSON.stringify(head), text);
  return JSON.stringify({ ...head, payloadId: reference.id } satisfies QueuedWebhook);
}

export function sealWebhook(keys: KeyRing, recipient: Recipient, text: string): Buffer {
  return keys.encrypt(text, queuedWebhookPlace(recipient));
}

/** @throws KeyRingError */
export function openWebhook(keys: KeyRing, recipient: Recipient, sealed: Buffer): QueuedWebhook {
  return parseJson(keys.decrypt(sealed, queuedWebhookPlace(recipient)));
}

export function isSubscribed(subscriptions: readonly string[], type: string): boolean {
  return subscriptions.includes('*') || (type !== '' && subscriptions.includes(type));
}

/** Bound to the connection: its row has no ID when it is sealed. */
export function queuedWebhookPlace({ environmentId, connection }: Recipient): Place {
  return { table: 'script_queue', column: 'webhook', environmentId, rowId: 0, boundTo: `connection ${connection}` };
}
