import type { Connection } from '../connections/connection.ts';
import { type ConnectionChange, changeConnection } from '../connections/connection-change-store.ts';
import { replaceAuthorization } from '../connections/connection-store.ts';
import { announceChange, unknownConnection } from '../connections/connections.ts';
import type { Notices } from '../db/notices.ts';
import { withTransaction } from '../db/transaction.ts';
import { killPoint } from '../kit/kill-point.ts';
import type { Commitment, CreationDeps } from './connection-created.ts';
import { holdIntegration } from './hold-integration.ts';

type Authorization = Pick<Connection, 'credentials' | 'connectionConfig' | 'secretConfig'>;

type ReauthorizationDeps = CreationDeps & { readonly notices: Notices };

/**
 * An existing connection, authorized again: new credentials, discovered configuration merged in; metadata and subscription
 * stay, and of tags, end user and webhook override whatever is not to change.
 *
 * @throws ServiceError `unknown_provider_config`, `unknown_connection` when it was deleted meanwhile
 */
export async function connectionReauthorized(
  deps: ReauthorizationDeps,
  connection: Connection,
  authorized: Commitment & Authorization & { readonly change: ConnectionChange },
): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    await authorized.claim(trx);
    await holdIntegration(trx, connection);
    await writeReauthorization({ ...deps, db: trx }, connection, authorized);
    if (Object.keys(authorized.change).length > 0) await changeConnection(trx, connection, authorized.change);
  });
  killPoint('callback-after-commit');
}

/** Inside the caller's transaction. @throws ServiceError `unknown_connection` */
export async function writeReauthorization(
  deps: ReauthorizationDeps,
  connection: Connection,
  authorized: Pick<Commitment, 'operation'> & Authorization,
): Promise<void> {
  if (!(await replaceAuthorization(deps, connection, authorized))) throw unknownConnection(connection);
  await announceChange(deps, deps.db, connection);
  await authorized.operation.endIn(deps.db, 'success', connection.connectionId);
}
