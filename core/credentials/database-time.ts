import type { Knex } from 'knex';
import { readDatabaseTime } from './lease-store.ts';

/** A reading is good for this long: the monotonic clock drifts far less than a second in it. */
const READING_LASTS_MS = 60_000;

/**
 * The database's time of day. Expiry, leases and back-off are judged by it, so that instances whose own clocks are wrong agree.
 * Between readings it runs on by the process's monotonic clock, which no clock step touches.
 */
export class DatabaseTime {
  #offsetMs: number | undefined;
  #readAtMs = 0;

  /** Learns from a `now()` that came with some other answer. */
  observe(databaseNow: Date): void {
    this.#readAtMs = performance.now();
    this.#offsetMs = databaseNow.getTime() - this.#readAtMs;
  }

  /** The last reading, run on. Before the first one: the process's own time. */
  now(): Date {
    return this.#offsetMs === undefined ? new Date() : new Date(this.#offsetMs + performance.now());
  }

  /** `now`, read anew at most once a minute. While the database is away the last reading runs on. */
  async current(db: Knex): Promise<Date> {
    const isFresh = this.#offsetMs !== undefined && performance.now() - this.#readAtMs < READING_LASTS_MS;
    if (!isFresh) await this.#read(db);
    return this.now();
  }

  async #read(db: Knex): Promise<void> {
    try {
      this.observe(await readDatabaseTime(db));
    } catch (error) {
      if (this.#offsetMs === undefined) throw error;
    }
  }
}
