import type { Knex } from 'knex';

/**
 * Does work that only one process may do at a time. The lock belongs to a transaction that does nothing else, so that it works
 * behind a pooler and is released if this process ends. That transaction does not hold back vacuum, since it has no snapshot.
 *
 * @param db with a pool of at least two connections
 * @param lock the number of the advisory lock, the same in all versions of the service
 * @returns undefined when another process holds the lock
 */
export async function whileLocked<T>(
  db: Knex,
  lock: number,
  work: () => Promise<T>,
): Promise<{ readonly result: T } | undefined> {
  return db.transaction(async (trx) => {
    await trx.raw('set local idle_in_transaction_session_timeout = 0');
    const { rows }: { rows: { locked: boolean }[] } = await trx.raw('select pg_try_advisory_xact_lock(?) as locked', [lock]);
    return rows[0]?.locked ? { result: await work() } : undefined;
  });
}
