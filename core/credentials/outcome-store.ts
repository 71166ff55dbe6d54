import type { Knex } from 'knex';
import type { JsonObject } from '#contract';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import type { Connection, ConnectionState } from '../connections/connection.ts';
import {
  ATTRIBUTE_COLUMNS,
  type CallerAttributes,
  type ConnectionPlace,
  callerAttributes,
} from '../connections/connection-row.ts';
import { credentialColumns } from '../connections/connection-store.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { type DueRule, endLease } from './due-store.ts';
import type { LeaseRef } from './lease-store.ts';

// These functions write how a call to the provider ended: first the row of the connection, then its row in `refreshes`, which
// follows from it, in one transaction.

type Fenced = LeaseRef & Pick<Connection, 'generation'>;

/** A connection's state, with what has been reported to the application about its outage. */
interface KnownOutage {
  readonly state: ConnectionState;
  readonly generation: number;
  /** True when it was reported that the provider cannot refresh the connection. */
  readonly isNotified: boolean;
  /** The owner of the lease; null when nobody holds it. */
  readonly owner: string | null;
}

/**
 * Reads what has been reported; locks the row until the transaction `trx` ends.
 *
 * @returns undefined when the connection is gone
 */
export async function lockOutage(trx: Knex.Transaction, ref: LeaseRef): Promise<KnownOutage | undefined> {
  const owner = trx('refreshes').where({ connection_id: ref.id }).select('owner');
  const row = await live(trx, ref)
    .forUpdate()
    .first('state', 'generation', { owner }, trx.raw(`${IS_NOTIFIED} as is_notified`));
  return row && { state: row.state, generation: row.generation, isNotified: row.is_notified, owner: row.owner };
}

/** The result of a successful token call. */
export interface Renewal {
  /** The owner of the lease under which the call was made. */
  readonly owner: string;
  readonly credentials: StoredCredentials;
  /** Connection configuration that the response contains. */
  readonly found: JsonObject;
  readonly rule: DueRule;
}

/**
 * Stores new credentials if the generation has not changed since the call began, even if another owner holds the lease now: they
 * may be the only ones that work. Unproven ones are due for a refresh immediately, since only that shows whether they work.
 *
 * @returns the attributes of the connection; undefined when the generation has changed
 */
export async function storeRenewed(
  { db: trx, keys }: { readonly db: Knex; readonly keys: KeyRing },
  ref: Fenced & ConnectionPlace,
  { credentials, found, rule, isUnproven = false }: Omit<Renewal, 'owner'> & { readonly isUnproven?: boolean },
): Promise<CallerAttributes | undefined> {
  const [row] = await live(trx, ref)
    .where({ generation: ref.generation })
    .update({
      ...credentialColumns(keys, credentials, ref),
      ...(Object.keys(found).length > 0 && {
        connection_config: trx.raw('connection_config || ?::jsonb', [JSON.stringify(found)]),
      }),
      generation: trx.raw('generation + 1'),
      refresh_unknown: false,
      refresh_failures: 0,
      refresh_after: null,
      refreshed_at: trx.fn.now(),
      last_refresh_at: trx.fn.now(),
      ...(isUnproven ? unlessNeedsReauth(trx, 'answer_lost') : { ...movedTo(trx, 'healthy', null), auth_error_log_id: null }),
      updated_at: trx.fn.now(),
    })
    .returning(ATTRIBUTE_COLUMNS);
  if (row === undefined) return undefined;
  await endLease(trx, ref, { ...rule, isDueNow: isUnproven });
  return callerAttributes(row);
}

interface FailedCall {
  readonly owner: string;
  readonly waitMs: number;
  readonly cause: string;
  /** True when the refresh token may have been spent. */
  readonly isUnknown: boolean;
  readonly rule: DueRule;
}

/** After this many hours, the application is notified that an expired connection cannot be refreshed. */
const NOTIFY_AFTER_HOURS = 24;
const IS_NOTIFIED = 'coalesce(outage_told_at >= state_since, false)';
const IS_LASTING = `(state = 'degraded' and greatest(expires_at, state_since) <= now() - interval '${NOTIFY_AFTER_HOURS} hours')`;

/**
 * Ends the lease of a failed call and starts the back-off. Does nothing once another owner has the lease.
 *
 * @returns the attributes of the connection if the outage is to be reported to the application now, which happens once per outage
 */
export async function backOff(trx: Knex.Transaction, ref: LeaseRef, failed: FailedCall): Promise<CallerAttributes | undefined> {
  const { owner, rule } = failed;
  const [row] = await ownedBy(trx, ref, owner)
    .update({
      refresh_unknown: trx.raw('refresh_unknown or ?', [failed.isUnknown]),
      refresh_failures: trx.raw('refresh_failures + 1'),
      refresh_after: trx.raw(`now() + ? * interval '1 millisecond'`, [failed.waitMs]),
      ...unlessNeedsReauth(trx, failed.cause),
      outage_told_at: trx.raw(`case when ${IS_LASTING} and not ${IS_NOTIFIED} then now() else outage_told_at end`),
    })
    // `now()` is the time at which this transaction began: if the column has that value, this transaction wrote it.
    .returning([...ATTRIBUTE_COLUMNS, trx.raw('coalesce(outage_told_at = now(), false) as is_news')]);
  await endLease(trx, ref, { owner, ...rule });
  return row?.is_news === true ? callerAttributes(row) : undefined;
}

export interface NeedsReauth {
  readonly cause: 'refused' | 'rotation_response_lost' | 'client_changed' | 'expired' | 'verification_failed';
  readonly logId: string;
  /**
   * The owner of the lease under which the call was made; nothing is written once another owner has the lease. Absent when no
   * call was made.
   */
  readonly owner?: string;
  readonly rule: DueRule;
}

/**
 * Records that the user must authorize again.
 *
 * @returns the attributes of the connection; undefined when the generation has changed, or another call has taken over the lease
 */
export async function markNeedsReauth(
  trx: Knex.Transaction,
  ref: Fenced,
  { cause, logId, owner, rule }: NeedsReauth,
): Promise<CallerAttributes | undefined> {
  const query = owner === undefined ? live(trx, ref).whereNot({ state: 'needs_reauth' }) : ownedBy(trx, ref, owner);
  const [row] = await query
    .where({ generation: ref.generation })
    .update({
      refresh_failures: 0,
      refresh_after: null,
      ...movedTo(trx, 'needs_reauth', cause),
      auth_error_log_id: logId,
    })
    .returning(ATTRIBUTE_COLUMNS);
  if (row === undefined) return undefined;
  await endLease(trx, ref, { ...(owner !== undefined && { owner }), ...rule });
  return callerAttributes(row);
}

interface Verified {
  readonly owner: string;
  readonly rule: DueRule;
}

/** Records that the credentials work, so that they need no verification for another day. */
export async function markProven(trx: Knex.Transaction, ref: Fenced, { owner, rule }: Verified): Promise<void> {
  await ownedBy(trx, ref, owner).where({ generation: ref.generation }).update({ refreshed_at: trx.fn.now() });
  await endLease(trx, ref, { owner, ...rule });
}

function movedTo(db: Knex, state: ConnectionState, cause: string | null): Record<string, unknown> {
  return { state, state_cause: cause, state_since: db.raw('case state when ? then state_since else now() end', [state]) };
}

/** Sets the state `degraded`, unless the connection is in the worse state `needs_reauth`. */
function unlessNeedsReauth(db: Knex, cause: string): Record<string, Knex.Raw> {
  return {
    state: db.raw(`case state when 'needs_reauth' then state else 'degraded' end`),
    state_cause: db.raw(`case state when 'needs_reauth' then state_cause else ? end`, [cause]),
    state_since: db.raw(`case when state in ('needs_reauth', 'degraded') then state_since else now() end`),
  };
}

/** Selects the connection if this owner holds its lease. */
function ownedBy(db: Knex, ref: LeaseRef, owner: string): Knex.QueryBuilder {
  return live(db, ref).whereExists(db('refreshes').where({ connection_id: ref.id, owner }));
}

function live(db: Knex, { environmentId, id }: LeaseRef): Knex.QueryBuilder {
  return db('connections').where({ id, environment_id: environmentId }).whereNull('deleted_at');
}
