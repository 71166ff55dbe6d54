import type { Knex } from 'knex';
import type { Activity } from '../activity/activity.ts';
import type { Connection } from '../connections/connection.ts';
import { eraseConnection, markDeleted } from '../connections/connection-store.ts';
import { announceChange, unknownConnection } from '../connections/connections.ts';
import type { Notices } from '../db/notices.ts';
import { withTransaction } from '../db/transaction.ts';
import type { Integration } from '../integrations/integration.ts';
import { type CleanUpDeps, cleanUp } from './clean-up.ts';

export interface DeletionDeps extends CleanUpDeps {
  readonly db: Knex;
  readonly notices: Notices;
  readonly activity: Activity;
}

/**
 * Deletes a connection. From the mark on nobody can use its credentials; the plugin then cleans up at the provider, and
 * whether or not that works the row goes.
 *
 * @throws ServiceError `unknown_connection` when somebody else deleted it first
 */
export async function deleteConnection(deps: DeletionDeps, connection: Connection, integration: Integration): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    if (!(await markDeleted(trx, connection))) throw unknownConnection(connection);
    await announceChange(deps, trx, connection);
  });
  const { environmentId, connectionId, providerConfigKey } = connection;
  const operation = deps.activity.begin({
    type: 'deletion',
    operation: 'deletion',
    environmentId,
    connectionId,
    providerConfigKey,
  });
  await cleanUp(deps, { operation, provider: connection.provider, about: () => ({ connection, integration }) });
  await withTransaction(deps.db, async (trx) => {
    await eraseConnection(trx, connection);
    await operation.endIn(trx, 'success', connectionId);
  });
}
