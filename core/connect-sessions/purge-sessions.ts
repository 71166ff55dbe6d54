import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import type { Clock } from '../kit/clock.ts';
import { deleteSessionsBefore } from './session-store.ts';

/** Longer than a flow may take after its session expired. */
const KEPT_MS = 24 * 60 * 60_000;

/** Removes sessions that are long over, and with them their flows. */
export async function purgeSessions({ db, clock }: { readonly db: Knex; readonly clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS);
  await inBatches((limit) => deleteSessionsBefore(db, before, limit));
}
