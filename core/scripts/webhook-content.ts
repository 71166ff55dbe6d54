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

export function sealWebhook(keys: KeyRing, environmentId: number, webhook: WebhookOfScript): SealedWebhook {
  return keys.encrypt(JSON.stringify(webhook), placeOf(environmentId)).toString('base64');
}

/** @throws KeyRingError */
export function openWebhook(keys: KeyRing, environmentId: number, sealed: SealedWebhook): WebhookOfScript {
  return JSON.parse(keys.decrypt(Buffer.from(sealed, 'base64'), placeOf(environmentId)));
}

export function isSubscribed(subscriptions: readonly string[], type: string): boolean {
  return subscriptions.includes('*') || (type !== '' && subscriptions.includes(type));
}

/** A job has no row ID before it is sent. */
function placeOf(environmentId: number): Place {
  return { table: 'pgboss.job', column: 'data', environmentId, rowId: 0 };
}
