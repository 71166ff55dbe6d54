import type { Knex } from 'knex';
import { eraseConnections, type MarkedConnection } from '../connections/marked-connection-store.ts';
import { connectionEvent } from '../credentials/connection-event.ts';
import { sendAuthMessage } from '../webhook-delivery/auth-message.ts';
import type { LifecycleDeps } from './deps.ts';

/**
 * Erases connections that went with their integration, in the transaction `trx`, and tells of each that this call erased: of
 * those that had been deleted alone the application was told then, and of an environment's there is nobody to tell.
 *
 * @returns those that were erased
 */
export async function eraseAndTell(
  deps: Pick<LifecycleDeps, 'keys' | 'signals' | 'catalogue'>,
  trx: Knex.Transaction,
  { environmentId, marked }: { readonly environmentId: number; readonly marked: readonly MarkedConnection[] },
): Promise<readonly MarkedConnection[]> {
  const ids = marked.map(({ id }) => id);
  const erasedIds = new Set(await eraseConnections(trx, environmentId, ids));
  const erased = marked.filter(({ id }) => erasedIds.has(id));
  for (const connection of erased.filter(({ wasDeletedAlone }) => !wasDeletedAlone)) {
    const told = { ...connection, environmentId, credentials: { type: typeOf(deps, connection) } };
    await sendAuthMessage(deps, trx, connectionEvent(told, { operation: 'deletion', success: true }));
  }
  return erased;
}

/** A row that cannot be decrypted is told of, too, and one whose provider is not in the catalogue any more. */
function typeOf({ catalogue }: Pick<LifecycleDeps, 'catalogue'>, { provider, open }: MarkedConnection): string {
  const known = catalogue.find(provider)?.definition.auth_mode;
  if (known !== undefined) return known;
  try {
    return open().credentials.type;
  } catch {
    return 'unknown';
  }
}
