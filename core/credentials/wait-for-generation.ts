import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Connection } from '../connections/connection.ts';
import { type Lease, readLease } from './lease-store.ts';

const POLL_MS = 200;
/** After twenty seconds callers have given up and only this loop still waits, so it reads the row less often. */
const PATIENT = { afterPolls: 100, pollMs: 2_000 };

/**
 * Waits while somebody else is at work: reads the row a few times a second until the generation has changed, the connection is
 * gone or `isOver` returns true. `isOver` has to return true at some time; it does, since leases and grace periods end by the
 * database's clock.
 *
 * @returns true when the generation has changed or the connection is gone
 */
export async function waitForGeneration(
  db: Knex,
  connection: Connection,
  isOver: (lease: Lease) => boolean | Promise<boolean>,
): Promise<boolean> {
  for (let polls = 0; ; polls += 1) {
    const lease = await readLease(db, connection);
    if (lease === undefined || lease.generation !== connection.generation) return true;
    if (await isOver(lease)) return false;
    await pause(polls < PATIENT.afterPolls ? POLL_MS : PATIENT.pollMs);
  }
}
