import type { Knex } from 'knex';
import type { Activity } from '../activity/activity.ts';
import type { Connection } from '../connections/connection.ts';
import { eraseConnection, markDeleted } from '../connections/connection-store.ts';
import { announceChange, unknownConnection } from '../connections/connections.ts';
import { connectionEvent } from '../credentials/connection-event.ts';
import type { Notices } from '../db/notices.ts';
import { withTransaction } from '../db/transaction.ts';
import type { Integration } from '../integrations/integration.ts';
import { runDeletionScript } from '../scripts/deletion-script.ts';
import type { ScriptDeps } from '../scripts/deps.ts';
import { sendAuthMessage } from '../webhook-delivery/auth-message.ts';
import type { MessageDeps } from '../webhook-delivery/messages.ts';
import { type CleanUpDeps, cleanUp } from './clean-up.ts';

export interface DeletionDeps extends CleanUpDeps, MessageDeps, ScriptDeps {
  readonly db: Knex;
  readonly notices: Notices;
  readonly activity: Activity;
}

/**
 * Deletes a connection. From the mark on nobody can use its credentials, which is what the auth webhook tells, but its own
 * script, which runs now, and the plugin, which then cleans up at the provider; whether or not that works the row goes.
 *
 * @throws ServiceError `unknown_connection` when somebody else deleted it first
 */
export async function deleteConnection(deps: DeletionDeps, known: Connection, integration: Integration): Promise<void> {
  const connection = await mark(deps, known);
  const { environmentId, connectionId, providerConfigKey, provider } = connection;
  const about = { environmentId, connectionId, providerConfigKey };
  const operation = deps.activity.begin({ type: 'deletion', operation: 'deletion', ...about });
  const used = await runDeletionScript(deps, { connection, integration });
  await cleanUp(deps, { operation, provider, about: () => ({ connection: used, integration }) });
  await withTransaction(deps.db, async (trx) => {
    await eraseConnection(trx, connection);
    await operation.endIn(trx, 'success', connectionId);
  });
}

/** @returns the connection as it is now: it may have been registered or renewed since it was read */
function mark(deps: DeletionDeps, known: Connection): Promise<Connection> {
  return withTransaction(deps.db, async (trx) => {
    const connection = await markDeleted({ ...deps, db: trx }, known);
    if (connection === undefined) throw unknownConnection(known);
    await announceChange(deps, trx, connection);
    await sendAuthMessage(deps, trx, connectionEvent(connection, { operation: 'deletion', success: true }));
    return connection;
  });
}
