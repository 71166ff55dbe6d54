import type { Knex } from 'knex';
import { errorCode } from '../kit/error-code.ts';
import { isRefusal, TRANSACTION_ID, type TransactionId, wasCommitted } from './commit-outcome.ts';

// The database ends transactions that their client has forgotten or cannot finish. The limits are set for the transaction alone,
// so that a pooler may give the session to another client afterwards. The ID is for querying the outcome, should the response to
// COMMIT be lost. In a transaction that only reads, it costs just one entry in the write-ahead log, for which nobody waits.
const FIRST_STATEMENT = `
  select set_config('statement_timeout', '5s', true),
         set_config('idle_in_transaction_session_timeout', '15s', true),
         ${TRANSACTION_ID}`;

/** Functions to call once a transaction has committed. */
const commitEffects = new WeakMap<Knex, (() => void)[]>();

/** SQLSTATE deadlock_detected (Postgres documentation, appendix A). */
const DEADLOCK = '40P01';
const MAX_ATTEMPTS = 5;

/**
 * Runs `work` in a transaction: commits when it resolves, rolls back when it throws. No outbound call may happen inside. If `db`
 * is a transaction, `work` becomes a part of that one, which must not continue when `work` fails.
 *
 * When the connection is lost during COMMIT, the server is asked for the outcome: the promise resolves if the transaction was
 * committed, and rejects only if nothing was written or the outcome cannot be determined.
 *
 * @throws OutcomeUnknown when the transaction may have been committed, so that it must not be reported as failed
 */
export async function withTransaction<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db as Knex.Transaction);
  const effects: (() => void)[] = [];
  const result = await commitOrThrow(db, (trx) => {
    commitEffects.set(trx, effects);
    return work(trx);
  });
  for (const effect of effects) effect();
  return result;
}

/** Calls `effect` once the transaction has committed, or immediately when `db` is not a transaction. `effect` must not throw. */
export function afterCommit(db: Knex, effect: () => void): void {
  const effects = commitEffects.get(db);
  if (effects === undefined) effect();
  else effects.push(effect);
}

async function commitOrThrow<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  let committing: { readonly id: TransactionId; readonly result: T } | undefined;
  try {
    return await db.transaction(async (trx) => {
      let hasFailed = false;
      trx.on('query-error', () => {
        hasFailed = true;
      });
      const { rows }: { rows: [TransactionId] } = await trx.raw(FIRST_STATEMENT);
      const result = await work(trx);
      // Postgres answers COMMIT with ROLLBACK after a failed statement, and knex does not check that.
      if (hasFailed) throw new Error('nothing was committed: a statement of the transaction failed');
      committing = { id: rows[0], result };
      return result;
    });
  } catch (error) {
    if (committing === undefined || isRefusal(error) || !(await wasCommitted(db, committing.id, error))) throw error;
    return committing.result;
  }
}

/**
 * Like `withTransaction`, for work that changes many rows: the transaction is repeated when the database has ended it because of
 * a deadlock. `work` must be safe to repeat.
 */
export async function withLongTransaction<T>(db: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await withTransaction(db, work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || errorCode(error) !== DEADLOCK) throw error;
    }
  }
}
