import type { Knex } from 'knex';
import { inBatches } from '../db/in-batches.ts';
import { deleteExpired } from './idempotency-store.ts';

export async function purgeRequests({ db }: { readonly db: Knex }): Promise<void> {
  await inBatches((limit) => deleteExpired(db, limit));
}
