import type { Knex } from 'knex';
import { whileLocked } from '../../db/while-locked.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import { checkKnownKeys } from './encryption-keys.ts';

// The number of the advisory lock: the same in all versions of the service, and another than that of `migrate.ts`.
const LOCK_KEY = 7_130_914_226;

/** Runs a rotation of the keys, unless one is running. @returns undefined in that case */
export function whileRotating<T>(db: Knex, work: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
  return whileLocked(db, LOCK_KEY, work);
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
