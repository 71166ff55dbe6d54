import type { Connection } from '../connections/connection.ts';
import { replaceAuthorization } from '../connections/connection-store.ts';
import { announceChange, unknownConnection } from '../connections/connections.ts';
import type { Notices } from '../db/notices.ts';
import { withTransaction } from '../db/transaction.ts';
import { killPoint } from '../kit/kill-point.ts';
import type { Commitment, CreationDeps } from './connection-created.ts';

/**
 * An existing connection, authorized again: new credentials, discovered configuration merged in; tags, metadata, webhook
 * override and subscription stay.
 *
 * @throws ServiceError `unknown_connection` when it was deleted meanwhile
 */
export async function connectionReauthorized(
  deps: CreationDeps & { readonly notices: Notices },
  connection: Connection,
  authorized: Commitment & Pick<Connection, 'credentials' | 'connectionConfig' | 'secretConfig'>,
): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    await authorized.claim(trx);
    if (!(await replaceAuthorization({ ...deps, db: trx }, connection, authorized))) throw unknownConnection(connection);
    await announceChange(deps, trx, connection);
    await authorized.operation.endIn(trx, 'success', connection.connectionId);
  });
  killPoint('callback-after-commit');
}
