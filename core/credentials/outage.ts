import type { Knex } from 'knex';
import type { StoredCredentials } from '../auth-modes/auth-mode.ts';
import type { Connection } from '../connections/connection.ts';
import { withTransaction } from '../db/transaction.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { type AuthEvent, sendAuthMessage } from '../webhook-delivery/auth-message.ts';
import type { MessageDeps } from '../webhook-delivery/messages.ts';
import { connectionEvent } from './connection-event.ts';
import { lockState, markNeedsReauth, storeRenewed, type Verdict } from './lease-store.ts';

// An outage lasts while a connection is in the state `needs_reauth`. The application is told of its beginning, whoever finds
// it out, and of its end by a renewal; the end by a new authorization is an event of its own (`override`).

export type VerdictCause = Verdict['cause'];

/** In our words: what a provider writes may hold what it was sent. */
const DESCRIPTIONS: Readonly<Record<VerdictCause, string>> = {
  refused: 'The provider refuses these credentials; the user must authorize again.',
  rotation_response_lost: 'The answer that held the new refresh token was lost; the user must authorize again.',
  expired: 'The credentials have expired and cannot be renewed; the user must authorize again.',
};

interface Judged {
  readonly connection: Connection;
  readonly verdict: Verdict;
}

/** @returns false when the generation moved, or another call took the lease over */
export async function outageBegins(deps: MessageDeps, trx: Knex.Transaction, { connection, verdict }: Judged): Promise<boolean> {
  const before = await lockState(trx, connection);
  const said = await markNeedsReauth(trx, connection, verdict);
  if (said === undefined) return false;
  if (before !== 'needs_reauth') {
    const error = { type: 'invalid_credentials', description: `${DESCRIPTIONS[verdict.cause]} (log ${verdict.logId})` };
    await sendAuthMessage(deps, trx, refreshEvent({ ...connection, ...said }, { success: false, error }));
  }
  return true;
}

/** Renewed credentials, and with them the end of an outage. @returns false when the generation moved */
export function storeAndTell(
  deps: MessageDeps & { readonly db: Knex; readonly keys: KeyRing },
  connection: Connection,
  credentials: StoredCredentials,
): Promise<boolean> {
  return withTransaction(deps.db, async (trx) => {
    const before = await lockState(trx, connection);
    const said = await storeRenewed({ db: trx, keys: deps.keys }, connection, credentials);
    if (said === undefined) return false;
    if (before === 'needs_reauth')
      await sendAuthMessage(deps, trx, refreshEvent({ ...connection, ...said, credentials }, { success: true }));
    return true;
  });
}

function refreshEvent(connection: Connection, how: Pick<AuthEvent, 'success' | 'error'>): AuthEvent {
  return connectionEvent(connection, { operation: 'refresh', ...how });
}
