import type { Knex } from 'knex';
import { BatchedTouch } from '../kit/batched-touch.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { touchKeys } from './api-key-store.ts';

const FLUSH_EVERY_MS = 10_000;

interface LastUsedDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Remembers which API keys were used, for `last_used_at`, which is written at most eleven seconds late. */
export class LastUsed extends BatchedTouch {
  constructor({ db, clock, log }: LastUsedDeps) {
    super({
      flushEveryMs: FLUSH_EVERY_MS,
      write: (ids) => touchKeys(db, ids, clock.now()),
      onError: (error, count) => log.warn('last_used_at could not be written', { error, count }),
    });
  }
}
