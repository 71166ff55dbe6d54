import type { Knex } from 'knex';

/** Runs `work` in a transaction that reads a single snapshot of the database, however long it takes. */
export function inSnapshot<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  return db.transaction(
    async (trx) => {
      await trx.raw('set local idle_in_transaction_session_timeout = 0');
      return await work(trx);
    },
    { isolationLevel: 'repeatable read', readOnly: true },
  );
}
