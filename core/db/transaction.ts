import type { Knex } from 'knex';

// The database ends what its client has forgotten or cannot finish. Set for the transaction alone, so a pooler may hand the
// session on.
const LIMITS = `
  select set_config('statement_timeout', '5s', true),
         set_config('idle_in_transaction_session_timeout', '15s', true)`;

/** Postgres documentation, appendix A. */
const DEADLOCK = '40P01';
const TRIES = 5;

/** Commits when `work` resolves, rolls back when it throws. No outbound call may happen inside. */
export function withTransaction<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (trx) => {
    await trx.raw(LIMITS);
    return await work(trx);
  });
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
