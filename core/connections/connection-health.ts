import type { JsonObject } from '#contract';
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
export async function connectionHealth({ db, keys }: StoreDeps, address: ConnectionAddress): Promise<JsonObject> {
  const row = await readHealth(db, address);
  if (row === undefined) throw await missing(db, address);
  return {
    state: row.state,
    cause: causeOf(row),
    since: row.state_since.toISOString(),
    next_try: row.state === 'degraded' ? (row.refresh_after?.toISOString() ?? null) : null,
    expires_at: row.expires_at?.toISOString() ?? null,
    provider_account: shownAccount(openAccount(keys, row)),
    log_id: row.auth_error_log_id,
  };
}

function causeOf({ state, state_cause: stored }: HealthRow): HealthCause | null {
  if (state === 'healthy' || stored === null) return null;
  const named = HEALTH_CAUSES.find((cause) => cause === (STORED[stored] ?? stored));
  // Another version of the service may have stored a cause that this one does not know.
  return named ?? (state === 'needs_reauth' ? 'invalid_credentials' : 'provider_unavailable');
}
