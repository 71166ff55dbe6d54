import type { Knex } from 'knex';
import { readDatabaseTime } from './lease-store.ts';

/** A reading is good for this long: the monotonic clock drifts far less than a second in it. */
const READING_LASTS_MS = 60_000;

/**
 * The database's time of day. Expiry, leases and back-off are judged by it, so that instances whose own clocks are wrong
 * agree. Between readings it runs on by the process's monotonic clock, which no clock step touches.
 */
export class DatabaseTime {
  readonly #monotonicMs: () => number;
  #offsetMs: number | undefined;
  #readAtMs = 0;
  #reading: Promise<void> | undefined;

  /** @param monotonicMs milliseconds of a clock that never goes back */
  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** Uses a `now()` from the result of another query. */
  observe(databaseNow: Date): void {
    this.#readAtMs = this.#monotonicMs();
    this.#offsetMs = databaseNow.getTime() - this.#readAtMs;
  }

  /** The last reading, run on. Before the first one: the process's own time. */
  now(): Date {
    return this.#offsetMs === undefined ? new Date() : new Date(this.#offsetMs + this.#monotonicMs());
  }

  /**
   * `now`, read anew about once a minute. Only the first reading is waited for; the last one runs on during the next, and
   * while the database is away.
   */
  async current(db: Knex): Promise<Date> {
    if (this.#offsetMs === undefined) await this.#read(db);
    else if (this.#monotonicMs() - this.#readAtMs >= READING_LASTS_MS) this.#read(db).catch(() => undefined);
    return this.now();
  }

  #read(db: Knex): Promise<void> {
    this.#reading ??= readDatabaseTime(db)
      .then((now) => this.observe(now))
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }
}
