import type { Knex } from 'knex';

const IDLE_HOURS = 24;

/** A connection that wants renewing although nobody asked. */
export interface DueConnection {
  readonly id: number;
  readonly environmentId: number;
  readonly generation: number;
  /** Not renewed for a day, whatever its expiry says. */
  readonly isIdle: boolean;
}

interface DuePage {
  readonly marginSeconds: number;
  readonly afterId: number;
  readonly limit: number;
}

/**
 * Connections of all environments whose token ends soon (indexes on `expires_at` and `refreshed_at`), in the order of their
 * IDs. Those that someone is renewing, that wait out a back-off or that need their user are left alone.
 */
export async function dueConnections(db: Knex, { marginSeconds, afterId, limit }: DuePage): Promise<DueConnection[]> {
  const isIdle = `refreshed_at < now() - interval '${IDLE_HOURS} hours'`;
  const isEnding = `(expires_at < now() + ? * interval '1 second'
    and expires_at < now() + greatest(expires_at - refreshed_at, interval '0') / 3)`;
  const rows: { id: number; environment_id: number; generation: number; is_idle: boolean }[] = await db('connections')
    .select('id', 'environment_id', 'generation', db.raw(`${isIdle} as is_idle`))
    .whereNull('deleted_at')
    .where({ refreshable: true })
    .whereNot({ state: 'needs_reauth' })
    .whereRaw('coalesce(refresh_after <= now(), true) and coalesce(refresh_until < now(), true)')
    .whereRaw(`(${isEnding} or ${isIdle})`, [marginSeconds])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit);
  return rows.map((row) => ({
    id: row.id,
    environmentId: row.environment_id,
    generation: row.generation,
    isIdle: row.is_idle,
  }));
}
