import type { Knex } from 'knex';
import type { KeyRing } from '../../kit/key-ring.ts';
import { checkKnownKeys } from './encryption-keys.ts';

// Every version must use the same number; `migrate.ts` has another.
const LOCK_KEY = 7_130_914_226;

/**
 * Does work that only one process may do at a time. The lock is that of a transaction which does nothing else, so that it works
 * behind a pooler and ends with this process; it holds back no vacuum, since it has no snapshot.
 *
 * @param db with a pool of at least two
 * @returns undefined when another process is at it
 */
export async function whileLocked<T>(db: Knex, work: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
  return db.transaction(async (trx) => {
    await trx.raw('set local idle_in_transaction_session_timeout = 0');
    const { rows }: { rows: { locked: boolean }[] } = await trx.raw('select pg_try_advisory_xact_lock(?) as locked', [LOCK_KEY]);
    return rows[0]?.locked ? { result: await work() } : undefined;
  });
}

/**
 * Lets no rotation begin before the transaction `trx` ends: what it writes would be under the old key, and be seen too late. The
 * ring then knows which keys are retired.
 *
 * @returns false while one is running
 * @throws KeyRingError when the ring lacks a key
 */
export async function holdOffRotation(trx: Knex.Transaction, keys: KeyRing): Promise<boolean> {
  const { rows }: { rows: { locked: boolean }[] } = await trx.raw('select pg_try_advisory_xact_lock_shared(?) as locked', [
    LOCK_KEY,
  ]);
  if (!rows[0]?.locked) return false;
  await checkKnownKeys(trx, keys);
  return true;
}
