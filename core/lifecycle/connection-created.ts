import type { Knex } from 'knex';
import type { Operation } from '../activity/activity.ts';
import { insertConnection, type NewConnection } from '../connections/connection-store.ts';
import { withTransaction } from '../db/transaction.ts';
import type { KeyRing } from '../kit/key-ring.ts';
import { killPoint } from '../kit/kill-point.ts';

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

/** A new connection: its row, the end of what permitted it and the log entry, together or not at all. */
export async function connectionCreated(
  deps: CreationDeps,
  connection: NewConnection,
  { operation, claim }: Commitment,
): Promise<void> {
  await withTransaction(deps.db, async (trx) => {
    await claim(trx);
    await insertConnection({ ...deps, db: trx }, connection);
    await operation.endIn(trx, 'success', connection.connectionId);
  });
  killPoint('callback-after-commit');
}
