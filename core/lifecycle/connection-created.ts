import type { Knex } from 'knex';
import type { Operation } from '../activity/activity.ts';
import type { Connection } from '../connections/connection.ts';
import { insertConnection, type NewConnection } from '../connections/connection-store.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { killPoint } from '../kit/kill-point.ts';
import { holdIntegration } from './hold-integration.ts';

export interface CreationDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

/** What else belongs to the transaction that a connection is written in. */
export interface Commitment {
  readonly operation: Operation;
  /** Uses up what permitted the connection; throws when somebody else was first, which undoes everything. */
  readonly claim: (trx: Knex) => Promise<void>;
}

/** A connection that is to be, with the key of its integration. */
export type ComingConnection = NewConnection & Pick<Connection, 'providerConfigKey'>;

/**
 * A new connection: its row, the end of what permitted it and the log entry, together or not at all.
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
    const id = await writeCreation({ ...deps, db: trx }, connection, operation);
    if (id === undefined)
      throw new ServiceError('conflict', `there is a connection "${connection.connectionId}" of this integration already`);
  });
  killPoint('callback-after-commit');
}

/** Inside the caller's transaction. @returns the row's ID; undefined when the integration has a connection of that ID */
export async function writeCreation(
  deps: CreationDeps,
  connection: ComingConnection,
  operation: Operation,
): Promise<number | undefined> {
  const id = await insertConnection(deps, connection);
  if (id !== undefined) await operation.endIn(deps.db, 'success', connection.connectionId);
  return id;
}
