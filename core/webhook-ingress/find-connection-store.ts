import type { Knex } from 'knex';
import type { ConnectionKey } from '#contract';
import type { ConnectionRow } from '../connections/connection-row.ts';
import { escapeLike } from '../db/escape-like.ts';
import { type ExactNumber, numberOf } from '../kit/exact-json.ts';

/** A connection that receives a delivery. */
export interface MatchedConnection {
  readonly id: number;
  readonly connectionId: string;
  readonly webhookUrlOverride: string | null;
  /** True when its webhooks were registered by the service, with the service's tag in their URL. */
  readonly isRegistered: boolean;
}

interface ConnectionPage {
  /** Only connections after this row ID. */
  readonly after: number;
  readonly limit: number;
}

export interface FoundRow {
  readonly id: number;
  readonly connection_id: string;
  readonly webhook_url_override: string | null;
  readonly subscription: object;
  /** The stored address, for a key that compares URLs. */
  readonly address?: string | null;
}

interface Asked {
  readonly key: ConnectionKey;
  readonly page: ConnectionPage;
  /** Restricts the search to this connection. */
  readonly connectionId?: string;
}

/** Returns the connections of one integration that match a key, in the order of their row IDs. Each condition has an index. */
export async function connectionsByKey(db: Knex, integrationId: number, { key, page, connectionId }: Asked): Promise<FoundRow[]> {
  const query = db<ConnectionRow>('connections')
    .where({ integration_id: integrationId })
    .whereNull('deleted_at')
    .where('id', '>', page.after)
    .orderBy('id')
    .limit(page.limit);
  if (connectionId !== undefined) query.where({ connection_id: connectionId });
  if (key.by === 'broadcast') return query.select(COLUMNS);
  if (key.by === 'connectionId') return query.where({ connection_id: key.value }).select(COLUMNS);
  if (key.by === 'metadata') return query.whereRaw(...contains('metadata', key.field, spellings(key.value))).select(COLUMNS);
  if (key.by === 'metadataContains') {
    const lists = spellings(key.value).map((value) => [value]);
    return query.whereRaw(...contains('metadata', key.field, lists)).select(COLUMNS);
  }
  if (key.as !== 'origin')
    return query.whereRaw(...contains('connection_config', key.field, spellings(key.value))).select(COLUMNS);
  const address = db.raw(...addressOf(key.field));
  return query.whereRaw('? like ?', [address, `${escapeLike(key.value)}%`]).select(...COLUMNS, db.raw('? as address', [address]));
}

const INTEGER = /^(?:0|-?[1-9]\d{0,99})$/;
const COLUMNS = ['id', 'connection_id', 'webhook_url_override', 'subscription'] as const;

/** Returns the forms in which the value may be stored: a string or a number, of any length. */
function spellings(value: string): (string | number | ExactNumber)[] {
  return INTEGER.test(value) ? [value, numberOf(value)] : [value];
}

function contains(column: 'metadata' | 'connection_config', field: string, values: readonly unknown[]): [string, string[]] {
  const conditions = values.map(() => `${column} @> ?::jsonb`).join(' or ');
  return [`(${conditions})`, values.map((value) => JSON.stringify({ [field]: value }))];
}

/** The expression that reads an address; the index `connections_base_url` is on exactly this one. */
function addressOf(field: string): [string, string[]] {
  return field === 'baseUrl' ? [`lower(connection_config ->> 'baseUrl')`, []] : ['lower(connection_config ->> ?)', [field]];
}
