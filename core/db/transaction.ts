import type { Knex } from 'knex';
import { errorCode } from '../kit/error-code.ts';
import { isRefusal, TRANSACTION_ID, type TransactionId, wasCommitted } from './commit-outcome.ts';

// The database ends what its client has forgotten or cannot finish. Set for the transaction alone, so that a pooler may hand the
// session on. The ID is for asking about the outcome, should the response to COMMIT be lost; a transaction that only reads pays
// no more for it than an entry in the log of the server, which nobody waits for.
const FIRST_STATEMENT = `
  select set_config('statement_timeout', '5s', true),
         set_config('idle_in_transaction_session_timeout', '15s', true),
         ${TRANSACTION_ID}`;

/** What is to be done once a transaction has committed. */
const commitEffects = new WeakMap<Knex, (() => void)[]>();

/** Postgres documentation, appendix A. */
const DEADLOCK = '40P01';
const MAX_ATTEMPTS = 5;

/**
 * Commits when `work` resolves, rolls back when it throws. No outbound call may happen inside. Within another transaction it is a
 * part of that one, which must not go on when this fails.
 *
 * When the connection is lost during COMMIT the server is asked for the outcome: this resolves if it was committed, and throws
 * only if nothing was written or the outcome cannot be found out.
 *
 * @throws OutcomeUnknown when it may have been committed: then it must not be reported as failed
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

/** Calls `effect` once the transaction has committed, at once when `db` is none. It must not throw. */
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
      // Postgres answers COMMIT with ROLLBACK after a failed statement, and knex does not look at that.
      if (hasFailed) throw new Error('nothing was committed: a statement of the transaction had failed');
      committing = { id: rows[0], result };
      return result;
    });
  } catch (error) {
    if (committing === undefined || isRefusal(error) || !(await wasCommitted(db, committing.id, error))) throw error;
    return committing.result;
  }
}

/**
 * The same for work that changes many rows: repeated when the database ended it because of a deadlock. `work` must be safe to
 * repeat.
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
