import type { Knex } from 'knex';
import type { ConnectionKey, WebhookEvent } from '#contract';
import { connectionsByKey, type FoundRow, type MatchedConnection } from './find-connection-store.ts';

const PAGE = 500;

/** A search for connections of one integration by keys: values of a delivery that identify connections. */
interface Search {
  readonly integrationId: number;
  readonly keys: readonly ConnectionKey[];
  /**
   * Connection ID of the registered URL. If a key matches this connection, it matches no others: each has its own registration.
   */
  readonly registeredFor?: string | undefined;
}

/**
 * Yields the connections of the first key that matches any, in pages.
 *
 * A key with a string that the database cannot store matches nothing.
 */
export async function* findConnections(db: Knex, search: Search): AsyncGenerator<readonly MatchedConnection[]> {
  for (const key of search.keys.filter(isUsable)) {
    let found = false;
    for await (const page of pagesOf(db, search, key)) {
      found ||= page.length > 0;
      if (page.length > 0) yield page;
    }
    if (found) return;
  }
}

/** Returns the first page only. */
export async function firstConnections(db: Knex, search: Search): Promise<readonly MatchedConnection[]> {
  for await (const page of findConnections(db, search)) return page;
  return [];
}

/**
 * Returns whether the keys of an event with `mustAgree` name different connections. Two connection IDs differ even if there are
 * no such connections.
 */
export async function disagrees(db: Knex, integrationId: number, { connections, mustAgree }: WebhookEvent): Promise<boolean> {
  const keys = [...new Map(connections.map((key) => [JSON.stringify(key), key])).values()];
  if (mustAgree !== true || keys.length < 2) return false;
  if (keys.filter(({ by }) => by === 'connectionId').length > 1) return true;
  const found = new Set<string>();
  for (const key of keys) {
    const ids = (await firstConnections(db, { integrationId, keys: [key] })).map(({ id }) => id);
    if (ids.length > 0) found.add(ids.join());
  }
  return found.size > 1;
}

async function* pagesOf(db: Knex, search: Search, key: ConnectionKey): AsyncGenerator<readonly MatchedConnection[]> {
  const { integrationId, registeredFor: connectionId } = search;
  const asked = asAsked(key);
  if (asked === undefined) return;
  if (connectionId !== undefined) {
    const [own] = await connectionsByKey(db, integrationId, { key: asked, page: { after: 0, limit: 1 }, connectionId });
    if (own !== undefined && isSameAddress(asked, own.address)) {
      yield [toMatched(own)];
      return;
    }
  }
  for (let after = 0; ; ) {
    const rows = await connectionsByKey(db, integrationId, { key: asked, page: { after, limit: PAGE } });
    yield rows.filter(({ address }) => isSameAddress(asked, address)).map(toMatched);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = last.id;
  }
}

function toMatched({ id, connection_id: connectionId, ...row }: FoundRow): MatchedConnection {
  const isRegistered = Object.keys(row.subscription).length > 0;
  return { id, connectionId, webhookUrlOverride: row.webhook_url_override, isRegistered };
}

/** Returns the key in the form to search for: a URL is compared by its origin. Undefined when the value is not a URL. */
function asAsked(key: ConnectionKey): ConnectionKey | undefined {
  if (key.by !== 'connectionConfig' || key.as !== 'origin') return key;
  const origin = originOf(key.value);
  return origin === undefined ? undefined : { ...key, value: origin };
}

/** Compares origins exactly. The database compares prefixes: `https://a.example` is also a prefix of `https://a.example.org`. */
function isSameAddress(key: ConnectionKey, address: string | null | undefined): boolean {
  return key.by !== 'connectionConfig' || key.as !== 'origin' || originOf(address ?? '') === key.value;
}

function originOf(address: string): string | undefined {
  const origin = URL.parse(address)?.origin ?? 'null';
  return origin === 'null' ? undefined : origin;
}

/** Returns whether a key can be searched for. Plugins read keys from payloads, so they may contain anything. */
function isUsable(key: ConnectionKey): boolean {
  const texts = key.by === 'broadcast' ? [] : key.by === 'connectionId' ? [key.value] : [key.field, key.value];
  return texts.every((text) => typeof text === 'string' && text !== '' && text.isWellFormed() && !text.includes('\0'));
}
