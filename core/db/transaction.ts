import type { Knex } from 'knex';

// The database ends what its client has forgotten or cannot finish. Set for the transaction alone, so a pooler may hand the
// session on.
const LIMITS = `
  select set_config('statement_timeout', '5s', true),
         set_config('idle_in_transaction_session_timeout', '15s', true)`;

/** Commits when `work` resolves, rolls back when it throws. No outbound call may happen inside. */
export function withTransaction<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (trx) => {
    await trx.raw(LIMITS);
    return await work(trx);
  });
}
