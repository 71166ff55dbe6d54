import type { Knex } from 'knex';
import { BatchedTouch } from '../kit/batched-touch.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { touchConnections } from './connection-store.ts';

const FLUSH_EVERY_MS = 4_000;

/**
 * Collects the connections whose credentials were used, and writes their `last_fetched_at` in batches, at most five seconds late.
 */
export class LastFetched extends BatchedTouch {
  constructor({ db, ...deps }: { readonly db: Knex; readonly clock: Clock; readonly log: Logger }) {
    super({
      ...deps,
      column: 'last_fetched_at',
      flushEveryMs: FLUSH_EVERY_MS,
      write: (ids, at) => touchConnections(db, ids, at),
    });
  }
}
