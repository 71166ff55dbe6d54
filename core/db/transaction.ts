import type { Knex } from 'knex';
import { withSession } from './session.ts';

// The database ends what its client has forgotten or cannot finish. Set for the transaction alone, so a pooler may hand the
// session on.
const BEGIN = `
  begin;
  select set_config('statement_timeout', '5s', true),
         set_config('idle_in_transaction_session_timeout', '15s', true)`;

/** Postgres documentation, appendix A. */
const DEADLOCK = '40P01';
const TRIES = 5;

/**
 * Commits when `work` resolves, rolls back when it throws. No outbound call may happen inside. Within another one it is a part of
 * that, which must not go on when this fails.
 *
 * @param work its transaction begins no statement once it has ended; each that is made has to be awaited
 */
export async function withTransaction<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db as Knex.Transaction);
  return await withSession(db, async (session) => {
    const { proxy: trx, revoke } = Proxy.revocable(session, {});
    try {
      await session.raw(BEGIN);
      const result = await work(trx as Knex.Transaction);
      revoke();
      await commit(session);
      return result;
    } catch (error) {
      revoke();
      // Where this fails, too, the connection is lost, and the transaction with it.
      await session.raw('rollback').catch(() => undefined);
      throw error;
    }
  });
}

/** Postgres answers without an error where a statement failed before. */
async function commit(session: Knex): Promise<void> {
  const { command } = await session.raw('commit');
  if (command !== 'COMMIT') throw new Error('nothing was committed: a statement of the transaction had failed');
}

/**
 * The same for work that changes many rows: begun anew when the database ended it because it and another one waited for each
 * other. `work` must bear a repetition.
 */
export async function withLongTransaction<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await withTransaction(db, work);
    } catch (error) {
      if (tries === TRIES || !isDeadlock(error)) throw error;
    }
  }
}

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === DEADLOCK;
}
