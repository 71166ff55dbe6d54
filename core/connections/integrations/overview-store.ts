import type { Knex } from 'knex';
import { escapeLike } from '../../db/escape-like.ts';
import type { IntegrationRow } from './integration-row.ts';

export interface OverviewFilter {
  /** A part of the name, of the key or of the provider's slug, case-insensitive. */
  readonly search?: string | undefined;
  /** Only integrations of these providers. */
  readonly providers?: readonly string[] | undefined;
  readonly limit: number;
  readonly order: OverviewOrder;
  /** Only integrations after this position in that order. */
  readonly after?: IntegrationPosition | undefined;
}

/** The position of an integration in the list: its sort key, a name or microseconds since 1970, and its row ID. */
export interface IntegrationPosition {
  readonly at: string | number;
  readonly id: number;
}

/**
 * The orders of the list, each of which has an index. The database's times are more precise than JavaScript's, so they are read
 * as a number of microseconds.
 */
const ORDERS = {
  name: { by: ['lower(display_name)', 'id'], at: 'display_name', after: '(lower(display_name), id) > (lower(?), ?)' },
  updated: {
    by: ['updated_at desc', 'id desc'],
    at: '(extract(epoch from updated_at) * 1000000)::float8',
    after: `(updated_at, id) < ('epoch'::timestamptz + ? * interval '1 microsecond', ?)`,
  },
} as const;

export type OverviewOrder = keyof typeof ORDERS;

const SEARCHED = ['display_name', 'unique_key', 'provider'];

export type OverviewRow = IntegrationRow & Pick<IntegrationPosition, 'at'>;

/** Returns one page of integrations, as they are stored. */
export function integrationPage(db: Knex, environmentId: number, filter: OverviewFilter): Promise<OverviewRow[]> {
  const { by, at, after } = ORDERS[filter.order];
  const query = matching(db, environmentId, filter)
    .orderByRaw(by.join(', '))
    .limit(filter.limit)
    .select<OverviewRow[]>('*', db.raw(`${at} as at`));
  if (filter.after !== undefined) query.whereRaw(after, [filter.after.at, filter.after.id]);
  return query;
}

export async function countIntegrations(
  db: Knex,
  environmentId: number,
  filter: Pick<OverviewFilter, 'search' | 'providers'>,
): Promise<number> {
  const row = await matching(db, environmentId, filter).first<{ count: number }>(db.raw('count(*)::int as count'));
  return row.count;
}

/** Returns the row IDs of a provider's integrations. */
export async function integrationIdsOf(db: Knex, environmentId: number, provider: string): Promise<number[]> {
  const rows = await db<IntegrationRow>('integrations')
    .where({ environment_id: environmentId, provider })
    .whereNull('deleted_at')
    .select('id');
  return rows.map(({ id }) => id);
}

function matching(db: Knex, environmentId: number, { search, providers }: Pick<OverviewFilter, 'search' | 'providers'>) {
  const query = db<IntegrationRow>('integrations').where({ environment_id: environmentId }).whereNull('deleted_at');
  if (providers !== undefined) query.whereRaw('provider = any(?)', [[...providers]]);
  if (search !== undefined) {
    const pattern = `%${escapeLike(search)}%`;
    query.whereRaw(`(${SEARCHED.map((column) => `${column} ilike ?`).join(' or ')})`, Array(SEARCHED.length).fill(pattern));
  }
  return query;
}
