import type { Knex } from 'knex';
import type { Clock } from '../kit/clock.ts';

/**
 * Milliseconds for which a reading of the database's clock is used: the monotonic clock drifts far less than a second in that
 * time.
 */
const READING_LASTS_MS = 60_000;

/**
 * The database's time of day. Expiry, deletion and partitioning go by it, so that instances whose own clocks are wrong agree.
 * Between readings it is advanced by the process's monotonic clock, which no clock step affects.
 */
export class DatabaseTime implements Clock {
  readonly #monotonicMs: () => number;
  #offsetMs: number | undefined;
  #readAtMs = 0;
  #reading: Promise<Date> | undefined;

  /** @param monotonicMs milliseconds of a clock that never goes back */
  constructor(monotonicMs: () => number = () => performance.now()) {
    this.#monotonicMs = monotonicMs;
  }

  /** Uses the `now()` in the result of another query as a reading. */
  observe(databaseNow: Date): void {
    this.#readAtMs = this.#monotonicMs();
    this.#offsetMs = databaseNow.getTime() - this.#readAtMs;
  }

  /** Returns the last reading, advanced by the time since then; before the first reading, the process's own time. */
  now(): Date {
    return this.#offsetMs === undefined ? new Date() : new Date(this.#offsetMs + this.#monotonicMs());
  }

  /**
   * Returns `now`, and about once a minute reads the database's clock again. Only the first reading is awaited; later, the
   * previous reading is used until the new one arrives, and while the database is unreachable.
   */
  async current(db: Knex): Promise<Date> {
    if (this.#offsetMs === undefined) await this.read(db);
    else if (this.#monotonicMs() - this.#readAtMs >= READING_LASTS_MS) this.read(db).catch(() => undefined);
    return this.now();
  }

  /** Reads the database's clock, with one query for all concurrent callers. */
  read(db: Knex): Promise<Date> {
    this.#reading ??= this.#readOnce(db).finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #readOnce(db: Knex): Promise<Date> {
    const { rows }: { rows: [{ now: Date }] } = await db.raw('select clock_timestamp() as now');
    this.observe(rows[0].now);
    return rows[0].now;
  }
}
