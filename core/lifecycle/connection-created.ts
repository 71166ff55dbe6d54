import type { Knex } from 'knex';
import type { Operation } from '../activity/activity.ts';
import type { Connection } from '../connections/connection.ts';
import { insertConnection, type NewConnection } from '../connections/connection-store.ts';
import { connectionEvent } from '../credentials/connection-event.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import { killPoint } from '../kit/kill-point.ts';
import type { Plugins } from '../plugin-host/plugins.ts';
import { type ScriptSendDeps, sendCreationScript } from '../scripts/script-jobs.ts';
import { sendAuthMessage } from '../webhook-delivery/auth-message.ts';
import type { MessageDeps } from '../webhook-delivery/messages.ts';
import { holdIntegration } from './hold-integration.ts';
import { sendSubscribing } from './subscribing.ts';

export interface CreationDeps extends MessageDeps, ScriptSendDeps {
  readonly db: Knex;
  readonly plugins: Plugins;
}

/** The same, with a transaction for the database. */
export type InTransaction<Deps> = Deps & { readonly db: Knex.Transaction };

/** What else belongs to the transaction that a connection is written in. */
export interface Commitment {
  readonly operation: Operation;
  /** Uses up what permitted the connection; throws when somebody else was first, which undoes everything. */
  readonly claim: (trx: Knex) => Promise<void>;
}

/** How a connection is written. */
export interface Writing {
  readonly operation: Operation;
  /** Whether the application is sent an auth webhook, if it asked for those. */
  readonly notify: boolean;
}

/** A connection that is to be, with the key of its integration and the provider's name. */
export type ComingConnection = NewConnection & Pick<Connection, 'providerConfigKey' | 'provider'>;

/**
 * A new connection: its row, the end of what permitted it, the log entry, the auth webhook and the job of its script, together
 * or not at all.
 *
 * @throws ServiceError `unknown_provider_config` when the integration was deleted meanwhile, `conflict` when the ID is taken
 */
export async function connectionCreated(
  deps: CreationDeps,
  connection: ComingConnection,
  { operation, claim }: Commitment,
): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    await claim(trx);
    await holdIntegration(trx, connection);
    const id = await writeCreation({ ...deps, db: trx }, connection, { operation, notify: true });
    if (id === undefined)
      throw new ServiceError('conflict', `there is a connection "${connection.connectionId}" of this integration already`);
  });
  killPoint('callback-after-commit');
}

/** Inside the caller's transaction. @returns the row's ID; undefined when the integration has a connection of that ID */
export async function writeCreation(
  deps: InTransaction<CreationDeps>,
  connection: ComingConnection,
  { operation, notify }: Writing,
): Promise<number | undefined> {
  const id = await insertConnection(deps, connection);
  if (id === undefined) return undefined;
  await operation.endIn(deps.db, 'success', connection.connectionId);
  if (notify) await sendAuthMessage(deps, deps.db, connectionEvent(connection, { operation: 'creation', success: true }));
  await sendSubscribing(deps, deps.db, { ...connection, id });
  await sendCreationScript(deps, deps.db, { ...connection, id });
  return id;
}
