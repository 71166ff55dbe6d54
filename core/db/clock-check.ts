import type { Knex } from 'knex';
import type { Logger } from '../kit/logger.ts';
import type { DatabaseTime } from './database-time.ts';

const EVERY_MS = 60_000;
const WARN_MS = 60_000;
const OFF_MS = 600_000;

/** Thrown when the clock of this machine differs so much from the database's that one of the two must be wrong. */
class ClockOff extends Error {
  override readonly name = 'ClockOff';
}

interface ClockCheckOptions {
  readonly db: Knex;
  readonly log: Logger;
  /** The time of the database, which each comparison reads anew. */
  readonly time: DatabaseTime;
  /** The clock of this machine, in milliseconds since 1970. */
  readonly machineNow: () => number;
}

/**
 * Compares the clock of this machine with the database's, every minute. Everything that expires or is deleted goes by the
 * database's clock; but if the two differ by much, nobody knows which one is right.
 */
export class ClockCheck implements Disposable {
  readonly #options: ClockCheckOptions;
  readonly #timer: NodeJS.Timeout;
  #differenceMs = 0;

  /**
   * Starts after a first comparison.
   *
   * @throws ClockOff when the clocks differ by more than ten minutes; Error when a query fails
   */
  static async start(options: ClockCheckOptions): Promise<ClockCheck> {
    using opened = new DisposableStack();
    const check = opened.use(new ClockCheck(options));
    await check.compare();
    if (check.isOff)
      throw new ClockOff(
        `the clock of this machine is ${check.#difference} that of the database; correct the wrong clock (with NTP) and start again`,
      );
    opened.move();
    return check;
  }

  private constructor(options: ClockCheckOptions) {
    this.#options = options;
    this.#timer = setInterval(
      () =>
        void this.compare().catch((error: unknown) =>
          options.log.debug("the clock of this machine could not be compared with the database's", { error }),
        ),
      EVERY_MS,
    ).unref();
  }

  /** True when the clocks differ by more than ten minutes. */
  get isOff(): boolean {
    return Math.abs(this.#differenceMs) > OFF_MS;
  }

  async compare(): Promise<void> {
    const { db, log, time, machineNow } = this.#options;
    const before = machineNow();
    const databaseNow = await time.read(db);
    const differenceMs = (before + machineNow()) / 2 - databaseNow.getTime();
    const isNews = Math.abs(differenceMs - this.#differenceMs) > WARN_MS;
    this.#differenceMs = differenceMs;
    if (!isNews) return;
    const consequence = this.isOff
      ? 'nothing is removed by age until the clocks agree'
      : 'the service uses the clock of the database';
    const message = `the clock of this machine is ${this.#difference} that of the database: ${consequence}`;
    if (Math.abs(differenceMs) > WARN_MS) log.warn(message);
    else log.info('the clock of this machine agrees with that of the database again');
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  get #difference(): string {
    const seconds = Math.round(Math.abs(this.#differenceMs) / 1000);
    return `${seconds} s ${this.#differenceMs > 0 ? 'ahead of' : 'behind'}`;
  }
}
