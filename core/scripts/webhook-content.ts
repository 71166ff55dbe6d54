import type { Json } from '#contract';
import type { KeyRing, Place } from '../kit/key-ring.ts';
import { type SharedPayload, withPayload } from '../webhook-delivery/payload.ts';

/** Of a payload's JSON, in UTF-8. A script gets no larger one. */
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** What `onWebhook` is called with. */
export interface WebhookOfScript extends WebhookHead {
  readonly payload: Json;
  /** The payload is too large for a script, and null. */
  readonly truncated?: true;
}

/** The same without the payload. */
export interface WebhookHead {
  /** Empty where the provider names none. */
  readonly type: string;
  /** Those that the application gets with the forward. */
  readonly headers: Readonly<Record<string, string>>;
  readonly verified: boolean;
}

/** A webhook, or all of it but the payload and the row ID of that. */
type QueuedWebhook = WebhookOfScript | ReferringWebhook;

interface ReferringWebhook extends WebhookHead {
  readonly payloadId: number;
}

/** For whose script it is. */
interface Recipient {
  readonly environmentId: number;
  /** Row ID of the connection. */
  readonly connection: number;
}

/** What is sealed: JSON of a `QueuedWebhook`. @param payload stands in it where it was not stored; undefined: it is too large */
export function webhookText(head: WebhookHead, payload: SharedPayload | undefined): string {
  if (payload === undefined) return JSON.stringify({ ...head, payload: null, truncated: true } satisfies QueuedWebhook);
  const { reference, text } = payload;
  if (reference === undefined) return withPayload(JSON.stringify(head), text);
  return JSON.stringify({ ...head, payloadId: reference.id } satisfies QueuedWebhook);
}

export function sealWebhook(keys: KeyRing, recipient: Recipient, text: string): Buffer {
  return keys.encrypt(text, placeOf(recipient));
}

/** @throws KeyRingError */
export function openWebhook(keys: KeyRing, recipient: Recipient, sealed: Buffer): QueuedWebhook {
  return JSON.parse(keys.decrypt(sealed, placeOf(recipient)));
}

export function isSubscribed(subscriptions: readonly string[], type: string): boolean {
  return subscriptions.includes('*') || (type !== '' && subscriptions.includes(type));
}

/** Where the release before kept it: its jobs are moved without being opened. A copy of the row is for the same connection. */
function placeOf({ environmentId, connection }: Recipient): Place {
  return { table: 'pgboss.job', column: 'data', environmentId, rowId: 0, boundTo: `connection ${connection}` };
}
