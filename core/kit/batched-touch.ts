import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

interface BatchedTouchOptions<Id> {
  /** The name of the column with the time of the last use, for log lines. */
  readonly column: string;
  readonly flushEveryMs: number;
  /** Stores `at` as the time at which these rows were last used; each ID occurs once. */
  readonly write: (ids: readonly Id[], at: Date) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Collects the IDs of rows that were used and writes them in batches, so that requests need not wait for a write. A batch that
 * fails is lost, which does little harm, since the next use of the same rows is written again.
 */
export class BatchedTouch<Id = number> implements AsyncDisposable {
  readonly #options: BatchedTouchOptions<Id>;
  readonly #timer: NodeJS.Timeout;
  #used = new Set<Id>();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: BatchedTouchOptions<Id>) {
    this.#options = options;
    this.#timer = setInterval(() => this.#startFlush(), options.flushEveryMs).unref();
  }

  touch(id: Id): void {
    this.#used.add(id);
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

  async #write(ids: readonly Id[]): Promise<void> {
    const { column, write, clock, log } = this.#options;
    try {
      await write(ids, clock.now());
    } catch (error) {
      log.warn(`${column} could not be updated`, { error, count: ids.length });
    }
  }
}
