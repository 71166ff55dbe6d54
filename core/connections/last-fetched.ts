import type { Knex } from 'knex';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { touchConnections } from './connection-store.ts';

const FLUSH_EVERY_MS = 4_000;

interface LastFetchedDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Remembers whose credentials were used and writes `last_fetched_at` in batches, at most five seconds late: no write on the
 * hot path.
 */
export class LastFetched implements AsyncDisposable {
  readonly #deps: LastFetchedDeps;
  readonly #timer: NodeJS.Timeout;
  #used = new Set<number>();
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: LastFetchedDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.#startFlush(), FLUSH_EVERY_MS).unref();
  }

  touch(connectionRowId: number): void {
    this.#used.add(connectionRowId);
  }

  async flush(): Promise<void> {
    this.#startFlush();
    await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  #startFlush(): void {
    if (this.#used.size === 0) return;
    const ids = [...this.#used];
    this.#used = new Set();
    this.#writing = this.#writing.then(() => this.#write(ids));
  }

  async #write(ids: readonly number[]): Promise<void> {
    try {
      await touchConnections(this.#deps.db, ids, this.#deps.clock.now());
    } catch (error) {
      this.#deps.log.warn('last_fetched_at could not be written', { error, count: ids.length });
    }
  }
}
