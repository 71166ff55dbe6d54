import type { StoreDeps } from '../db/store-deps.ts';
import type { ConnectionState } from './connection.ts';
import { type HealthRow, readHealth } from './connection-health-store.ts';
import { openAccount } from './connection-row.ts';
import type { ConnectionAddress } from './connection-store.ts';
import { missing } from './connections.ts';
import { shownAccount } from './provider-account.ts';

export const CONNECTION_STATES = ['healthy', 'degraded', 'needs_reauth', 'pending'] as const satisfies readonly ConnectionState[];

/**
 * The reasons why a connection is not healthy: error codes of the API, and causes that no error response has. `never_used` is
 * reserved: it belongs to the state `pending`, which no connection has, since connections are only stored with credentials.
 */
export const HEALTH_CAUSES = [
  'invalid_credentials',
  'provider_unavailable',
  'too_many_request',
  'refused',
  'rotation_response_lost',
  'verification_failed',
  'client_changed',
  'client_refused',
  'never_used',
] as const;

type HealthCause = (typeof HEALTH_CAUSES)[number];

/** The names in the API of causes that are stored under another name. */
const STORED: Readonly<Record<string, HealthCause>> = {
  rate_limited: 'too_many_request',
  retry_after: 'provider_unavailable',
  answer_lost: 'provider_unavailable',
  malformed_answer: 'provider_unavailable',
  expired: 'invalid_credentials',
};

/**
 * Reads the health of a connection, without its credentials.
 *
 * @throws ServiceError `unknown_provider_config`, `unknown_connection`
 */
export async function connectionHealth({ db, keys }: StoreDeps, address: ConnectionAddress) {
  const row = await readHealth(db, address);
  if (row === undefined) throw await missing(db, address);
  return {
    state: row.state,
    cause: causeOf(row),
    since: row.state_since.toISOString(),
    next_try: row.state === 'degraded' ? (nextTry(row)?.toISOString() ?? null) : null,
    is_refreshing: row.is_refreshing,
    failed_tries: row.state === 'degraded' ? row.refresh_failures : 0,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_refresh_at: row.last_refresh_at?.toISOString() ?? null,
    call_status: callStatus(row),
    provider_account: shownAccount(openAccount(keys, row)),
    log_id: row.auth_error_log_id,
  };
}

/** Returns the time of the next refresh: a worker makes it, but not before the end of the back-off. */
function nextTry({ due_at: dueAt, refresh_after: refreshAfter }: HealthRow): Date | null {
  return dueAt !== null && refreshAfter !== null && dueAt < refreshAfter ? refreshAfter : (dueAt ?? refreshAfter);
}

/** Returns the status that calls get from this service now; null when they are sent (`credentials/refresh-decision.ts`). */
function callStatus({ state, refreshable, is_expired: isExpired }: HealthRow): 424 | 503 | null {
  if (state === 'needs_reauth' || (isExpired && !refreshable)) return 424;
  return state === 'degraded' && isExpired ? 503 : null;
}

function causeOf({ state, state_cause: stored }: HealthRow): HealthCause | null {
  if (state === 'healthy' || stored === null) return null;
  const named = HEALTH_CAUSES.find((cause) => cause === (STORED[stored] ?? stored));
  // Another version of the service may have stored a cause that this one does not know.
  return named ?? (state === 'needs_reauth' ? 'invalid_credentials' : 'provider_unavailable');
}
