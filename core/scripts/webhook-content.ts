import type { Json } from '#contract';
import type { KeyRing, Place } from '../kit/key-ring.ts';

/** What `onWebhook` is called with. */
export interface WebhookOfScript {
  /** Empty where the provider names none. */
  readonly type: string;
  readonly payload: Json;
  /** Those that the application gets with the forward. */
  readonly headers: Readonly<Record<string, string>>;
  readonly verified: boolean;
}

/** Encrypted, since a job lies in the database as it is: base64. */
export type SealedWebhook = string;

/** For whose script it is. */
interface Recipient {
  readonly environmentId: number;
  /** Row ID of the connection. */
  readonly connection: number;
}

/** @param webhook JSON of a `WebhookOfScript` */
export function sealWebhook(keys: KeyRing, recipient: Recipient, webhook: string): SealedWebhook {
  return keys.encrypt(webhook, placeOf(recipient)).toString('base64');
}

/** @throws KeyRingError */
export function openWebhook(keys: KeyRing, recipient: Recipient, sealed: SealedWebhook): WebhookOfScript {
  return JSON.parse(keys.decrypt(Buffer.from(sealed, 'base64'), placeOf(recipient)));
}

export function isSubscribed(subscriptions: readonly string[], type: string): boolean {
  return subscriptions.includes('*') || (type !== '' && subscriptions.includes(type));
}

/** A job has no row ID before it is sent; a copy of it is for the same connection. */
function placeOf({ environmentId, connection }: Recipient): Place {
  return { table: 'pgboss.job', column: 'data', environmentId, rowId: 0, boundTo: `connection ${connection}` };
}
