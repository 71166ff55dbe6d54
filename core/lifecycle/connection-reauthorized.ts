import type { Connection } from '../connections/connection.ts';
import { type ConnectionChange, changeConnection } from '../connections/connection-change-store.ts';
import { lockConnection, replaceAuthorization } from '../connections/connection-store.ts';
import { announceChange, unknownConnection } from '../connections/connections.ts';
import { connectionEvent } from '../credentials/connection-event.ts';
import type { Notices } from '../db/notices.ts';
import { withTransaction } from '../db/transaction.ts';
import { killPoint } from '../kit/kill-point.ts';
import { type AuthWarning, sendAuthMessage } from '../webhook-delivery/auth-message.ts';
import type { Commitment, CreationDeps, InTransaction, Writing } from './connection-created.ts';
import { holdIntegration } from './hold-integration.ts';
import { sendSubscribing } from './subscribing.ts';
import { isNothing } from './subscription-call.ts';

type Authorization = Pick<Connection, 'credentials' | 'connectionConfig' | 'secretConfig'> & {
  /** Beside the credentials. */
  readonly change: ConnectionChange;
  readonly warning?: AuthWarning | undefined;
};

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
  authorized: Commitment & Authorization,
): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    await authorized.claim(trx);
    await holdIntegration(trx, connection);
    await writeReauthorization({ ...deps, db: trx }, connection, { ...authorized, notify: true });
  });
  killPoint('callback-after-commit');
}

/** Inside the caller's transaction. @throws ServiceError `unknown_connection` */
export async function writeReauthorization(
  deps: InTransaction<ReauthorizationDeps>,
  connection: Connection,
  authorized: Writing & Authorization,
): Promise<void> {
  const { change, credentials, operation, notify, warning } = authorized;
  // As it is now: its configuration may have changed while the user was at the provider.
  const current = await lockConnection(deps, connection);
  const said = current?.id === connection.id ? await replaceAuthorization(deps, current, authorized) : undefined;
  if (said === undefined) throw unknownConnection(connection);
  if (Object.keys(change).length > 0) await changeConnection(deps.db, connection, change);
  await announceChange(deps, deps.db, connection);
  if (warning !== undefined) operation.note('warn', warning.description, { warning: warning.type });
  await operation.endIn(deps.db, 'success', connection.connectionId);
  const now = { ...connection, ...said, ...change, credentials };
  if (notify) await sendAuthMessage(deps, deps.db, connectionEvent(now, { operation: 'override', success: true, warning }));
  // What was missing before, such as a scope, may be there now.
  if (isNothing(connection.subscription)) await sendSubscribing(deps, deps.db, connection);
}
