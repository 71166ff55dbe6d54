import type { Knex } from 'knex';
import type { Connection } from '../connections/connection.ts';

// When a token is due for a refresh is stated twice, with the same constants: as a function for callers, and as an SQL expression
// for the table `refreshes`. A token is due when less time is left than the margin. The margin is the smaller of the configured
// one and a third of the lifetime, so that short-lived tokens are not refreshed at every call. A test compares the two.

const SHARE_OF_LIFETIME = 3;
/**
 * A token with a shorter lifetime cannot be kept fresh; such tokens, and those whose lifetime is not known, are refreshed at most
 * once a minute.
 */
const SHORTEST_LIFETIME_MS = 3_000;
const REST_MS = 60_000;
/** Connections that nobody uses are refreshed after this time, so that their authorization does not end because of disuse. */
const IDLE_HOURS = 24;

/** The facts that decide when a token is due. */
interface Dates {
  readonly now: Date;
  readonly generation: number;
  /** Null when not known. */
  readonly expiresAt: Date | null;
  readonly refreshedAt: Date;
  /**
   * Counted from the receipt of the token; undefined when no lifetime is known. Zero or negative for imported credentials that
   * had already expired.
   */
  readonly lifetimeMs: number | undefined;
}

/** The facts that decide when a connection is due, apart from the connection's own columns. */
export interface DueRule {
  /** Number of seconds before its expiry at which a token is refreshed. */
  readonly marginSeconds: number;
  /** After how many hours credentials that cannot be refreshed are verified again; null: they are never verified. */
  readonly proofHours: number | null;
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

// `refreshed_at` is the time at which the response was stored, so this lifetime is shorter than the stated one by the duration of
// the call.
const LIFETIME = `(c.expires_at - c.refreshed_at)`;
const MARGIN = `least(:marginSeconds::float8 * interval '1 second', greatest(${LIFETIME}, interval '0') / ${SHARE_OF_LIFETIME})`;
const REST_ENDS = `case when ${LIFETIME} > interval '0' and ${LIFETIME} < interval '${SHORTEST_LIFETIME_MS} milliseconds'
  and c.generation > 1 then c.refreshed_at + interval '${REST_MS} milliseconds' end`;
const TOKEN_DUE = `greatest(c.expires_at - ${MARGIN}, ${REST_ENDS})`;
const IDLE_DUE = `c.refreshed_at + interval '${IDLE_HOURS} hours'`;
/**
 * SQL of the time at which the connection `c` is due, which is never before the end of its back-off. If its refresh token may have
 * been used, it is due then, although the access token may be valid for hours: providers that tolerate the second use do so for
 * seconds. `least` and `greatest` ignore nulls.
 */
const DUE_AT = `case
    when c.state = 'needs_reauth' then null
    when c.refreshable then greatest(c.refresh_after, case when c.refresh_unknown then now() else least(${TOKEN_DUE}, ${IDLE_DUE}) end)
    else least(c.refreshed_at + :proofHours::float8 * interval '1 hour', c.expires_at)
  end`;
const NO_LEASE = 'owner = null, leased_at = null, lease_until = null';

type ConnectionIds = Pick<Connection, 'id' | 'environmentId'>;

interface NewAuthorization extends DueRule {
  /** The origin that the connection's calls go to. */
  readonly origin: string;
  /** True to keep the lease of a call under way, because that call spends the very refresh token that was just stored. */
  readonly keepsLease: boolean;
}

/** Writes the row in `refreshes` of a connection that was created or authorized again in the transaction `trx`. */
export async function writeRefresh(trx: Knex, { id, environmentId }: ConnectionIds, authorized: NewAuthorization): Promise<void> {
  const { keepsLease, origin, marginSeconds, proofHours } = authorized;
  await trx.raw(
    `insert into refreshes (connection_id, environment_id, generation, token_origin, due_at)
     select c.id, c.environment_id, c.generation, :origin, ${DUE_AT} from connections c
     where c.id = :id and c.environment_id = :environmentId
     on conflict (connection_id) do update set generation = excluded.generation, token_origin = excluded.token_origin,
       due_at = excluded.due_at ${keepsLease ? '' : `, ${NO_LEASE}`}`,
    { id, environmentId, origin, marginSeconds, proofHours },
  );
}

/**
 * Writes the rows that an environment's connections lack in `refreshes`. The origin is preliminary: the worker that claims a row
 * finds out where its call goes.
 */
export async function writeMissingRefreshes(trx: Knex, environmentId: number, rule: DueRule): Promise<void> {
  await trx.raw(
    `insert into refreshes (connection_id, environment_id, generation, token_origin, due_at)
     select c.id, c.environment_id, c.generation, i.provider || '/' || i.id, ${DUE_AT}
     from connections c join integrations i on i.id = c.integration_id
     where c.environment_id = :environmentId and c.deleted_at is null
     on conflict do nothing`,
    { environmentId, ...rule },
  );
}

/** The lease to end, and the rule for the next due time. */
interface ReleasedLease extends DueRule {
  /** Ends only a lease of this owner, otherwise writes nothing; undefined: ends the lease of any owner. */
  readonly owner?: string;
  /** True to make the row due immediately, whatever the rule says. */
  readonly isDueNow?: boolean;
}

/** Ends a lease, and updates its row in `refreshes` from what has just been written to the connection. */
export async function endLease(
  trx: Knex,
  { id, environmentId }: ConnectionIds,
  { owner, isDueNow, ...rule }: ReleasedLease,
): Promise<void> {
  await trx.raw(
    `update refreshes set ${NO_LEASE}, generation = c.generation, due_at = ${isDueNow ? 'now()' : DUE_AT} from connections c
     where refreshes.connection_id = :id and refreshes.environment_id = :environmentId and c.id = :id
       ${owner === undefined ? '' : 'and owner = :owner'}`,
    { id, environmentId, ...rule, ...(owner !== undefined && { owner }) },
  );
}

/**
 * Ends the back-offs of the integration's other connections, since its provider responds again, except where the provider asked
 * to wait.
 */
export async function liftBackOffs(
  db: Knex,
  { environmentId, integrationId }: Pick<Connection, 'environmentId' | 'integrationId'>,
  rule: DueRule,
): Promise<void> {
  await db.raw(
    `with lifted as (
       update connections set refresh_after = now()
       where environment_id = :environmentId and integration_id = :integrationId and state = 'degraded' and deleted_at is null
         and refresh_after > now() and state_cause not in ('rate_limited', 'retry_after')
       returning id, state, refreshable, refresh_unknown, refresh_after, expires_at, refreshed_at, generation
     )
     update refreshes set due_at = ${DUE_AT} from lifted c where connection_id = c.id`,
    { environmentId, integrationId, ...rule },
  );
}
