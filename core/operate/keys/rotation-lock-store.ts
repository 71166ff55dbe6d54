import type { Knex } from 'knex';
import type { KeyRing } from '../../kit/key-ring.ts';
import { checkKnownKeys } from './encryption-keys.ts';

// The number of the advisory lock: the same in all versions of the service, and another than that of `migrate.ts`.
const LOCK_KEY = 7_130_914_226;

/**
 * Does work that only one process may do at a time. The lock belongs to a transaction that does nothing else, so that it works
 * behind a pooler and is released if this process ends. That transaction does not hold back vacuum, since it has no snapshot.
 *
 * @param db with a pool of at least two connections
 * @returns undefined when another process holds the lock
 */
export async function whileLocked<T>(db: Knex, work: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
  return db.transaction(async (trx) => {
    await trx.raw('set local idle_in_transaction_session_timeout = 0');
    const { rows }: { rows: { locked: boolean }[] } = await trx.raw('select pg_try_advisory_xact_lock(?) as locked', [LOCK_KEY]);
    return rows[0]?.locked ? { result: await work() } : undefined;
  });
}

/**
 * Prevents rotations from beginning before the transaction `trx` ends. Otherwise its writes would be encrypted with the old key,
 * and become visible only when the rotation has finished. Also tells the ring which keys are retired.
 *
 * @returns false while a rotation is running
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
