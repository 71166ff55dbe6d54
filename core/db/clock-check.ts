import type { Knex } from 'knex';
import type { Logger } from '../kit/logger.ts';
import type { DatabaseTime } from './database-time.ts';

const EVERY_MS = 60_000;
const WARN_MS = 60_000;
/** Clocks that were apart agree again below this difference: well below the warning, so that the log does not alternate. */
const AGREES_MS = WARN_MS / 2;
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
  /** The difference that was logged last; 0: none, or that the clocks agree again. */
  #loggedMs = 0;

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
    this.#differenceMs = differenceMs;
    if (!this.#isNews) return;
    this.#loggedMs = Math.abs(differenceMs) > WARN_MS ? differenceMs : 0;
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

  /** Compares with what was logged last, not with the last reading, so that a clock that drifts slowly is noticed, too. */
  get #isNews(): boolean {
    if (Math.abs(this.#differenceMs) > WARN_MS) return Math.abs(this.#differenceMs - this.#loggedMs) > WARN_MS;
    return this.#loggedMs !== 0 && Math.abs(this.#differenceMs) <= AGREES_MS;
  }

  get #difference(): string {
    const seconds = Math.round(Math.abs(this.#differenceMs) / 1000);
    return `${seconds} s ${this.#differenceMs > 0 ? 'ahead of' : 'behind'}`;
  }
}
