import type { Knex } from 'knex';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { Connection } from '../../connections/connection.ts';
import { eraseConnections, type MarkedConnection } from '../../connections/marked-connection-store.ts';
import { connectionEvent } from '../../credentials/connection-event.ts';
import { sendAuthMessage } from '../../webhook-delivery/auth-message.ts';
import type { OutboxDeps } from '../../webhook-delivery/deps.ts';

/**
 * Erases connections that were deleted with their integration, in the transaction `trx`, and reports each. Connections that had
 * been deleted individually were reported at that time; those of a deleted environment have no receiver.
 *
 * @returns the erased connections
 */
export async function eraseAndReport(
  deps: OutboxDeps & { readonly catalogue: Catalogue },
  trx: Knex.Transaction,
  { environmentId, marked }: { readonly environmentId: number; readonly marked: readonly MarkedConnection[] },
): Promise<readonly MarkedConnection[]> {
  const ids = marked.map(({ id }) => id);
  const erasedIds = new Set(await eraseConnections(trx, environmentId, ids));
  const erased = marked.filter(({ id }) => erasedIds.has(id));
  for (const connection of erased.filter(({ wasDeletedAlone }) => !wasDeletedAlone)) {
    const opened = openedOf(connection);
    const type = deps.catalogue.find(connection.provider)?.definition.auth_mode ?? opened?.credentials.type ?? 'unknown';
    const reported = { ...connection, environmentId, credentials: { type }, providerAccount: opened?.providerAccount ?? null };
    await sendAuthMessage(deps, trx, connectionEvent(reported, { operation: 'deletion', success: true }));
  }
  return erased;
}

/**
 * Decrypts a connection that is marked as deleted; undefined if it cannot be decrypted. Its deletion is then reported
 * nevertheless, as is that of a connection whose provider is no longer in the catalogue.
 */
function openedOf({ open }: MarkedConnection): Connection | undefined {
  try {
    return open();
  } catch {
    return undefined;
  }
}
