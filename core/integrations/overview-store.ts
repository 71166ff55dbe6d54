import type { Knex } from 'knex';
import { escapeLike } from '../db/escape-like.ts';
import type { IntegrationRow } from '../db/rows.ts';

export interface OverviewFilter {
  /** A part of the name, of the key or of the provider's slug, whatever the case. */
  readonly search?: string | undefined;
  /** Only of these providers. */
  readonly providers?: readonly string[] | undefined;
  readonly limit: number;
  /** Only after this one in the order of the list. */
  readonly after?: Position | undefined;
}

/** Of an integration in the list, which is ordered by name. */
export interface Position {
  readonly name: string;
  readonly id: number;
}

const COLUMNS = ['id', 'unique_key', 'provider', 'display_name', 'forward_webhooks', 'updated_at'] as const;
const SEARCHED = ['display_name', 'unique_key', 'provider'];

export type OverviewRow = Pick<IntegrationRow, (typeof COLUMNS)[number]>;

/** Integrations by name, without what is encrypted. */
export function integrationPage(db: Knex, environmentId: number, filter: OverviewFilter): Promise<OverviewRow[]> {
  const query = matching(db, environmentId, filter)
    .orderByRaw('lower(display_name), id')
    .limit(filter.limit)
    .select<OverviewRow[]>([...COLUMNS]);
  if (filter.after !== undefined)
    query.whereRaw('(lower(display_name), id) > (lower(?), ?)', [filter.after.name, filter.after.id]);
  return query;
}

export async function countIntegrations(db: Knex, environmentId: number, filter: OverviewFilter): Promise<number> {
  const row = await matching(db, environmentId, filter).first<{ count: number }>(db.raw('count(*)::int as count'));
  return row.count;
}

/** The row IDs of a provider's integrations. */
export async function integrationIdsOf(db: Knex, environmentId: number, provider: string): Promise<number[]> {
  const rows = await db<IntegrationRow>('integrations')
    .where({ environment_id: environmentId, provider })
    .whereNull('deleted_at')
    .select('id');
  return rows.map(({ id }) => id);
}

function matching(db: Knex, environmentId: number, { search, providers }: OverviewFilter) {
  const query = db<IntegrationRow>('integrations').where({ environment_id: environmentId }).whereNull('deleted_at');
  if (providers !== undefined) query.whereRaw('provider = any(?)', [[...providers]]);
  if (search !== undefined) {
    const pattern = `%${escapeLike(search)}%`;
    query.whereRaw(`(${SEARCHED.map((column) => `${column} ilike ?`).join(' or ')})`, Array(SEARCHED.length).fill(pattern));
  }
  return query;
}
