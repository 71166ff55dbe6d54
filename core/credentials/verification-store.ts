import type { Knex } from 'knex';
import type { Connection } from '../connections/connection.ts';

/** An hour less than a day, so that none is older than a day when its turn comes. */
const PROVEN_FOR_HOURS = 23;

/** A connection whose credentials have not been verified for a day. */
export interface DueVerification {
  readonly id: number;
  readonly environmentId: number;
  readonly generation: number;
}

interface DuePage {
  readonly providers: readonly string[];
  readonly afterId: number;
  readonly limit: number;
}

/** Connections of all environments at these providers, in the order of their IDs. Those that need their user are left alone. */
export async function dueVerifications(db: Knex, { providers, afterId, limit }: DuePage): Promise<DueVerification[]> {
  const rows: { id: number; environment_id: number; generation: number }[] = await db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .select('connections.id', 'connections.environment_id', 'connections.generation')
    .whereNull('connections.deleted_at')
    .where({ 'connections.refreshable': false })
    .whereNot({ 'connections.state': 'needs_reauth' })
    .whereIn('integrations.provider', [...providers])
    .whereRaw(`connections.refreshed_at < now() - ? * interval '1 hour'`, [PROVEN_FOR_HOURS])
    .whereRaw('coalesce(connections.refresh_after <= now(), true)')
    .where('connections.id', '>', afterId)
    .orderBy('connections.id')
    .limit(limit);
  return rows.map((row) => ({ id: row.id, environmentId: row.environment_id, generation: row.generation }));
}

type Fenced = Pick<Connection, 'id' | 'environmentId' | 'generation'>;

/** These credentials work: good for another day. */
export async function markProven(db: Knex, ref: Fenced): Promise<void> {
  await live(db, ref).update({ refreshed_at: db.fn.now(), refresh_after: null });
}

/** Nothing was learned: another time. */
export async function postpone(db: Knex, ref: Fenced, waitMs: number): Promise<void> {
  await live(db, ref).update({ refresh_after: db.raw(`now() + ? * interval '1 millisecond'`, [waitMs]) });
}

function live(db: Knex, { id, environmentId, generation }: Fenced): Knex.QueryBuilder {
  return db('connections').where({ id, environment_id: environmentId, generation }).whereNull('deleted_at');
}
