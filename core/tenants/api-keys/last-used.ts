import type { Knex } from 'knex';
import { BatchedTouch } from '../../kit/batched-touch.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Logger } from '../../kit/logger.ts';
import { touchKeys } from './api-key-store.ts';

const FLUSH_EVERY_MS = 10_000;

/** Records which API keys were used. `last_used_at` is written at most eleven seconds late. */
export class LastUsed extends BatchedTouch {
  constructor({ db, ...deps }: { readonly db: Knex; readonly clock: Clock; readonly log: Logger }) {
    super({
      ...deps,
      column: 'last_used_at',
      flushEveryMs: FLUSH_EVERY_MS,
      write: (ids, at) => touchKeys(db, ids, at),
    });
  }
}
