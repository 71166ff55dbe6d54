import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import type { Clock } from '../kit/clock.ts';
import { eraseDeletedBefore } from './marked-connection-store.ts';

/** A deletion takes seconds; what is only marked after this long lost its process. */
const MARKED_MS = 60 * 60_000;

/** Erases connections whose deletion was cut off; those of a deleted integration are its erasure's. */
export async function purgeConnections({ db, clock }: { readonly db: Knex; readonly clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - MARKED_MS);
  await inBatches((limit) => eraseDeletedBefore(db, before, limit));
}
