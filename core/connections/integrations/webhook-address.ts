import { createHmac } from 'node:crypto';
import type { Place } from '../../kit/key-ring.ts';
import { LoadingCache } from '../../kit/loading-cache.ts';
import { newSecret } from '../../kit/random-id.ts';
import { timingSafeEqualText } from '../../kit/timing-safe-equal.ts';
import { keepWebhookTagKey, webhookTagKeyOf } from '../../tenants/environments/webhook-tag-key-store.ts';
import type { TagKeyDeps } from './deps.ts';

/**
 * The query parameters of a webhook address that was registered at a provider for one connection: its ID, and a tag against
 * forgery.
 */
export const CONNECTION_ID_PARAMETER = 'svcConnectionId';
export const TAG_PARAMETER = 'svcTag';

/** A tag key never changes, so entries expire only to bound the cache's memory. */
const CACHE = { ttlMs: 600_000, maxEntries: 1_000 } as const;

/** The parts of the address where deliveries for an integration arrive. */
interface WebhookAddress {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string;
  readonly environmentUuid: string;
  /** The integration's `unique_key`. */
  readonly integrationKey: string;
}

/** The connection that a registered address is for. */
interface TaggedConnection extends Omit<WebhookAddress, 'baseUrl'> {
  readonly connectionId: string;
}

export function webhookAddress({ baseUrl, environmentUuid, integrationKey }: WebhookAddress): string {
  return `${baseUrl}/webhook/${environmentUuid}/${encodeURIComponent(integrationKey)}`;
}

/** Returns the address that is registered at a provider for one connection: it identifies the connection and cannot be forged. */
export function registeredAddress(tagKey: string, address: WebhookAddress & TaggedConnection): string {
  const query = new URLSearchParams([
    [CONNECTION_ID_PARAMETER, address.connectionId],
    [TAG_PARAMETER, svcTag(tagKey, address)],
  ]);
  return `${webhookAddress(address)}?${query}`;
}

/**
 * Returns the tag that proves that an address was created by this service, for this connection of this integration and
 * environment. Neither the environment's UUID nor the integration's key can hold a `|`, so the inputs for two different addresses
 * are never the same.
 *
 * @returns 64 hex digits
 */
function svcTag(tagKey: string, { environmentUuid, integrationKey, connectionId }: TaggedConnection): string {
  return createHmac('sha256', tagKey).update(`${environmentUuid}|${integrationKey}|${connectionId}`, 'utf8').digest('hex');
}

/** Returns whether `tag` is the tag of this connection's address, in constant time. */
export function isSvcTag(tagKey: string, connection: TaggedConnection, tag: string): boolean {
  return timingSafeEqualText(svcTag(tagKey, connection), tag);
}

/** Creates the in-process cache of the environments' tag keys. */
export function createTagKeyCache(now?: () => number): LoadingCache<number, string> {
  return new LoadingCache({ ...CACHE, now });
}

/**
 * Returns the key of an environment's webhook tags, which is created on first use.
 *
 * @returns undefined when the environment was deleted
 */
export function webhookTagKey({ db, keys, tagKeys }: TagKeyDeps, environmentId: number): Promise<string | undefined> {
  return tagKeys.get(environmentId, async () => {
    const stored = await webhookTagKeyOf(db, environmentId);
    if (stored === undefined) return undefined;
    const place = webhookTagKeyPlace(environmentId);
    const envelope = stored ?? (await keepWebhookTagKey(db, environmentId, keys.encrypt(newSecret(), place)));
    return envelope ? keys.decrypt(envelope, place) : undefined;
  });
}

export function webhookTagKeyPlace(environmentId: number): Place {
  return { table: 'environments', column: 'webhook_tag_key', environmentId, rowId: environmentId };
}
