import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { backoffMs } from '../kit/backoff.ts';

// The database ends what its client has forgotten or cannot finish. Set for the transaction alone, so a pooler may hand the
// session on.
const LIMITS = `
  select set_config('statement_timeout', '5s', true),
         set_config('idle_in_transaction_session_timeout', '15s', true)`;

const CONFLICTS = new Set(['40001', '40P01']); // serialization_failure, deadlock_detected
const MAX_TRIES = 3;
const RETRY_BACKOFF = { firstMs: 20, maxMs: 200 };

interface TransactionOptions {
  /**
   * Runs `work` up to three times when it lost against another transaction; only for work without effects outside the database.
   */
  readonly retryConflicts?: boolean;
}

/** Commits when `work` resolves, rolls back when it throws. No outbound call may happen inside. */
export async function withTransaction<T>(
  db: Knex,
  work: (trx: Knex.Transaction) => Promise<T>,
  { retryConflicts = false }: TransactionOptions = {},
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction(async (trx) => {
        await trx.raw(LIMITS);
        return await work(trx);
      });
    } catch (error) {
      if (!retryConflicts || tries === MAX_TRIES || !isConflict(error)) throw error;
      await pause(backoffMs(tries, Math.random, RETRY_BACKOFF));
    }
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && CONFLICTS.has(error.code);
}
