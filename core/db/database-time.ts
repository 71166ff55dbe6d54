import type { Knex } from 'knex';
import type { Clock } from '../kit/clock.ts';

/** A reading is good for this long: the monotonic clock drifts far less than a second in it. */
const READING_LASTS_MS = 60_000;

/**
 * The database's time of day. What expires, is deleted or partitioned is judged by it, so that instances whose own clocks are
 * wrong agree. Between readings it runs on by the process's monotonic clock, which no clock step touches.
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
    if (this.#offsetMs === undefined) await this.read(db);
    else if (this.#monotonicMs() - this.#readAtMs >= READING_LASTS_MS) this.read(db).catch(() => undefined);
    return this.now();
  }

  /** `now`, read anew, once for all who ask meanwhile. */
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
