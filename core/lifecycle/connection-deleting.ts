import type { Knex } from 'knex';
import type { Activity, Operation } from '../activity/activity.ts';
import { tokenSet } from '../auth-modes/token-set.ts';
import type { Connection } from '../connections/connection.ts';
import { connectionFacts } from '../connections/connection-facts.ts';
import { eraseConnection, markDeleted } from '../connections/connection-store.ts';
import { announceChange, unknownConnection } from '../connections/connections.ts';
import type { Notices } from '../db/notices.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import type { Integration } from '../integrations/integration.ts';
import type { Logger } from '../kit/logger.ts';
import type { Outbound } from '../kit/outbound.ts';
import { callHook } from '../plugin-host/call-hook.ts';
import type { Plugins } from '../plugin-host/plugins.ts';

export interface DeletionDeps {
  readonly db: Knex;
  readonly notices: Notices;
  readonly activity: Activity;
  readonly plugins: Plugins;
  readonly outbound: Outbound;
  readonly log: Logger;
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
  await cleanUp(deps, { connection, integration, operation });
  await withTransaction(deps.db, async (trx) => {
    await eraseConnection(trx, connection);
    await operation.endIn(trx, 'success', connectionId);
  });
}

interface CleanUp {
  readonly connection: Connection;
  readonly integration: Integration;
  readonly operation: Operation;
}

/** A failure is noted and never keeps the connection alive. */
async function cleanUp(deps: DeletionDeps, { connection, integration, operation }: CleanUp): Promise<void> {
  try {
    const beforeDeletion = deps.plugins.of(connection.provider).connection?.beforeDeletion;
    if (beforeDeletion === undefined) return;
    await callHook(
      deps,
      {
        hook: 'connection.beforeDeletion',
        connection: connectionFacts(connection),
        integrationConfig: integration.integrationConfig,
        tokens: tokenSet(connection.credentials),
        subscription: connection.subscription,
      },
      beforeDeletion,
    );
  } catch (error) {
    // What the operation log holds is part of the interface, which shows no stack.
    if (!(error instanceof ServiceError)) deps.log.error('a clean-up failed', { logId: operation.id, error });
    const reason = error instanceof ServiceError ? { reason: error.message } : {};
    operation.note('warn', 'the plugin could not clean up at the provider', reason);
  }
}
