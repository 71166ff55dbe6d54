import type { Knex } from 'knex';
import type { Connection } from '../connections/connection.ts';

// When a token is renewed, stated once as a function for callers and once as a condition for the sweep, of the same parts: less
// is left than the margin, which is the smaller of what was configured and a share of the lifetime, so that short-lived tokens
// are not renewed at every call. A test compares the two.

const SHARE_OF_LIFETIME = 3;
/** A lifetime below this cannot be kept fresh; such tokens, and those without a lifetime, are renewed at most once a minute. */
const SHORTEST_LIFETIME_MS = 3_000;
const REST_MS = 60_000;
const IDLE_HOURS = 24;

/** What decides when a token is due. */
export interface Dates {
  readonly now: Date;
  readonly generation: number;
  /** Null: not known. */
  readonly expiresAt: Date | null;
  readonly refreshedAt: Date;
  /** From when it was received; undefined when no lifetime is known. Imported credentials may have had none left: not above 0. */
  readonly lifetimeMs: number | undefined;
}

/** Seconds before its end at which a token is renewed. */
export interface Margins {
  readonly defaultSeconds: number;
  /** Providers that have one of their own (`token_expiration_buffer`), by slug. */
  readonly byProvider: Readonly<Record<string, number>>;
}

export function isDue(dates: Dates, marginSeconds: number): boolean {
  const { expiresAt, now, lifetimeMs = 0 } = dates;
  if (expiresAt === null || isTooSoon(dates)) return false;
  const marginMs = Math.min(marginSeconds * 1000, Math.max(lifetimeMs, 0) / SHARE_OF_LIFETIME);
  return expiresAt.getTime() - now.getTime() < marginMs || isExpired(dates);
}

export function isExpired({ expiresAt, now }: Pick<Dates, 'expiresAt' | 'now'>): boolean {
  return expiresAt !== null && expiresAt <= now;
}

export function isTooSoon({ generation, lifetimeMs, now, refreshedAt }: Dates): boolean {
  const isHopeless = lifetimeMs === undefined || (lifetimeMs > 0 && lifetimeMs < SHORTEST_LIFETIME_MS);
  return isHopeless && generation > 1 && now.getTime() - refreshedAt.getTime() < REST_MS;
}

// `refreshed_at` is when the response was stored: the lifetime here lacks the duration of the call.
const LIFETIME = 'connections.expires_at - connections.refreshed_at';
const IS_TOO_SOON = `${LIFETIME} > interval '0' and ${LIFETIME} < interval '${SHORTEST_LIFETIME_MS} milliseconds'
  and connections.generation > 1 and connections.refreshed_at > now() - interval '${REST_MS} milliseconds'`;
const MARGIN = `least(coalesce((:byProvider::jsonb ->> integrations.provider)::float8, :defaultSeconds) * interval '1 second',
  greatest(${LIFETIME}, interval '0') / ${SHARE_OF_LIFETIME})`;
// The first comparison is for the index, the second is the rule.
const IS_DUE = `connections.expires_at < now() + :largestSeconds * interval '1 second'
  and (connections.expires_at < now() + ${MARGIN} or connections.expires_at <= now()) and not (${IS_TOO_SOON})`;
const IS_IDLE = `connections.refreshed_at < now() - interval '${IDLE_HOURS} hours'`;

/** A connection that is due for renewal, whether it is used or not. */
export interface DueConnection {
  readonly id: number;
  readonly environmentId: number;
  readonly generation: number;
  /** Not renewed for a day, whatever its expiry says. */
  readonly isIdle: boolean;
}

interface DuePage {
  readonly margins: Margins;
  readonly afterId: number;
  readonly limit: number;
}

/**
 * Connections of all environments whose token is due or that nobody renewed for a day (indexes on `expires_at` and
 * `refreshed_at`), in the order of their IDs. Those that someone is renewing, that wait out a back-off or that need their user
 * are left alone.
 */
export async function dueConnections(db: Knex, { margins, afterId, limit }: DuePage): Promise<DueConnection[]> {
  const { defaultSeconds, byProvider } = margins;
  const largestSeconds = Math.max(defaultSeconds, ...Object.values(byProvider));
  const rows: { id: number; environment_id: number; generation: number; is_idle: boolean }[] = await db('connections')
    .join('integrations', 'integrations.id', 'connections.integration_id')
    .select('connections.id', 'connections.environment_id', 'connections.generation', db.raw(`${IS_IDLE} as is_idle`))
    .whereNull('connections.deleted_at')
    .where({ 'connections.refreshable': true })
    .whereNot({ 'connections.state': 'needs_reauth' })
    .whereRaw('coalesce(refresh_after <= now(), true) and coalesce(refresh_until < now(), true)')
    .whereRaw(`((${IS_DUE}) or ${IS_IDLE})`, { defaultSeconds, largestSeconds, byProvider: JSON.stringify(byProvider) })
    .where('connections.id', '>', afterId)
    .orderBy('connections.id')
    .limit(limit);
  return rows.map((row) => ({
    id: row.id,
    environmentId: row.environment_id,
    generation: row.generation,
    isIdle: row.is_idle,
  }));
}

/** The provider responds again, so the integration's other connections need not wait, unless it asked them to. */
export async function liftBackOffs(db: Knex, connection: Pick<Connection, 'environmentId' | 'integrationId'>): Promise<void> {
  await db('connections')
    .where({ environment_id: connection.environmentId, integration_id: connection.integrationId, state: 'degraded' })
    .whereNull('deleted_at')
    .where('refresh_after', '>', db.fn.now())
    .whereNotIn('state_cause', ['rate_limited', 'retry_after'])
    .update({ refresh_after: db.fn.now() });
}
