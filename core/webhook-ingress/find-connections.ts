import type { Knex } from 'knex';
import type { ConnectionKey, WebhookEvent } from '#contract';
import { connectionsByKey, type FoundRow, type MatchedConnection } from './find-connection-store.ts';

const PAGE = 500;

/** What finding connections is asked for, within one integration. */
export interface Search {
  readonly integrationId: number;
  readonly keys: readonly ConnectionKey[];
  /** Connection ID. Where a key finds this one among others, it finds no others: each has a registration of its own. */
  readonly registeredFor?: string | undefined;
}

/**
 * The connections that the first of the keys finds which finds any, in pages; none when no key does.
 *
 * A key with a text that the database cannot hold names nothing.
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

/** The first ones only, where more of them make no sense. */
export async function firstConnections(db: Knex, search: Search): Promise<readonly MatchedConnection[]> {
  for await (const page of findConnections(db, search)) return page;
  return [];
}

/**
 * Whether the keys of an event that wants them to agree name different connections. Two connection IDs differ even where there
 * is no such connection.
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

/** Of an address that is compared only its origin is asked for. Undefined: it is no address. */
function asAsked(key: ConnectionKey): ConnectionKey | undefined {
  if (key.by !== 'connectionConfig' || key.as !== 'origin') return key;
  const origin = originOf(key.value);
  return origin === undefined ? undefined : { ...key, value: origin };
}

/** The database compares beginnings: `https://a.example` is one of `https://a.example.org`, too. */
function isSameAddress(key: ConnectionKey, address: string | null | undefined): boolean {
  return key.by !== 'connectionConfig' || key.as !== 'origin' || originOf(address ?? '') === key.value;
}

function originOf(address: string): string | undefined {
  const origin = URL.parse(address)?.origin ?? 'null';
  return origin === 'null' ? undefined : origin;
}

/** Plugins read keys out of payloads: anything may stand there. */
function isUsable(key: ConnectionKey): boolean {
  const texts = key.by === 'broadcast' ? [] : key.by === 'connectionId' ? [key.value] : [key.field, key.value];
  return texts.every((text) => typeof text === 'string' && text !== '' && text.isWellFormed() && !text.includes('\0'));
}
