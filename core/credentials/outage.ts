import { isDeepStrictEqual } from 'node:util';
import type { Knex } from 'knex';
import { haveSameRefreshToken, tokenSet } from '../auth-modes/token-set.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionById } from '../connections/connection-store.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import { withTransaction } from '../db/transaction.ts';
import { type AuthEvent, sendAuthMessage } from '../webhook-delivery/auth-message.ts';
import type { OutboxDeps } from '../webhook-delivery/deps.ts';
import { connectionEvent } from './connection-event.ts';
import { backOff, lockOutage, markNeedsReauth, type NeedsReauth, type Renewal, storeRenewed } from './outcome-store.ts';

// An outage lasts while a connection is in the state `needs_reauth`, or has been expired for a day because its provider could not
// refresh it. Its beginning is reported once, and so is its end by a refresh; an end by a new authorization is reported as
// another event (`override`). An outage never becomes `needs_reauth` just because it lasts.

export type ReauthCause = NeedsReauth['cause'];

/** Descriptions in the service's own words, since a text from the provider may repeat secrets that it was sent. */
const DESCRIPTIONS: Readonly<Record<ReauthCause, string>> = {
  refused: 'The provider refuses these credentials; the user must authorize again.',
  rotation_response_lost: 'The response with the new refresh token was lost; the user must authorize again.',
  client_changed: 'The app that authorized this connection has been replaced; the user must authorize again.',
  verification_failed: 'The provider refused these credentials in the daily check; the user must authorize again.',
  expired: 'The credentials have expired and cannot be refreshed; the user must authorize again.',
};

const UNAVAILABLE = 'The credentials expired more than a day ago and could not be refreshed since; refresh attempts continue.';
const CLIENT_REFUSED = `${UNAVAILABLE} The provider refuses the integration’s client: check its ID and secret.`;

interface Outage {
  readonly connection: Connection;
  readonly reauth: NeedsReauth;
}

/**
 * Records that the user must authorize again, and sends the webhook that reports it unless that was reported before.
 *
 * @returns false when the generation has changed, or another call has taken over the lease
 */
export async function recordOutage(deps: OutboxDeps, trx: Knex.Transaction, { connection, reauth }: Outage): Promise<boolean> {
  const before = await lockOutage(trx, connection);
  const attributes = await markNeedsReauth(trx, connection, reauth);
  if (attributes === undefined) return false;
  if (before?.state !== 'needs_reauth') {
    const error = { type: 'invalid_credentials', description: `${DESCRIPTIONS[reauth.cause]} (log ${reauth.logId})` };
    await sendAuthMessage(deps, trx, refreshEvent({ ...connection, ...attributes }, { success: false, error }));
  }
  return true;
}

/**
 * Starts the back-off after a failed call; if the connection has been expired for a day, also sends the webhook that reports it.
 */
export function backOffAndNotify(
  deps: StoreDeps & OutboxDeps,
  connection: Connection,
  failed: Parameters<typeof backOff>[2],
): Promise<void> {
  return withTransaction(deps.db, async (trx) => {
    const attributes = await backOff(trx, connection, failed);
    const description = failed.cause === 'client_refused' ? CLIENT_REFUSED : UNAVAILABLE;
    const error = { type: 'provider_unavailable', description };
    if (attributes !== undefined)
      await sendAuthMessage(deps, trx, refreshEvent({ ...connection, ...attributes }, { success: false, error }));
  });
}

/**
 * Stores refreshed credentials, which ends an outage. They are stored if the generation has not changed since the call began, and
 * also if the same refresh token was stored again meanwhile: this call has spent it, and the new one is its successor.
 *
 * @returns `dropped` when other credentials were stored meanwhile; `unproven` when another call has spent the same refresh token:
 *   the provider may have ended the authorization because of that (RFC 9700 §4.14.2), so it is unknown whether the new
 *   credentials work
 */
export function storeAndNotify(
  deps: StoreDeps & OutboxDeps,
  connection: Connection,
  renewal: Renewal,
): Promise<'stored' | 'unproven' | 'dropped'> {
  const { credentials } = renewal;
  return withTransaction(deps.db, async (trx) => {
    const inside = { ...deps, db: trx };
    const before = await lockOutage(trx, connection);
    if (before === undefined) return 'dropped';
    const { state, generation, isNotified } = before;
    if (generation !== connection.generation) {
      const stored = await connectionById(inside, connection.environmentId, connection.id);
      if (stored === undefined) return 'dropped';
      // An earlier attempt has committed already, and the response to its commit was lost.
      if (isDeepStrictEqual(stored.credentials, credentials)) return 'stored';
      const isRotated = !haveSameRefreshToken(credentials, connection.credentials);
      if (!isRotated || !haveSameRefreshToken(stored.credentials, connection.credentials)) return 'dropped';
    }
    const isUnproven = before.owner !== renewal.owner && tokenSet(credentials).refreshToken !== undefined;
    const attributes = await storeRenewed(inside, { ...connection, generation }, { ...renewal, isUnproven });
    if (attributes === undefined) return 'dropped';
    if (isUnproven) {
      deps.signals.send(trx, 'refreshes');
      return 'unproven';
    }
    if (state === 'needs_reauth' || isNotified)
      await sendAuthMessage(deps, trx, refreshEvent({ ...connection, ...attributes, credentials }, { success: true }));
    return 'stored';
  });
}

function refreshEvent(connection: Connection, how: Pick<AuthEvent, 'success' | 'error'>): AuthEvent {
  return connectionEvent(connection, { operation: 'refresh', ...how });
}
