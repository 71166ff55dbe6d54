/** How many runs of an environment may be killed in quick succession before its further runs are delayed. */
const BURST = 2;
const PER_SECOND = 1;

interface Spent {
  readonly kills: number;
  readonly atMs: number;
}

/**
 * Limits how often an environment's scripts can force the pool to replace a process that had to be killed, which costs more than
 * most runs. Beyond the limit, the environment's next run is delayed; others are not.
 */
export class KillBudget {
  readonly #spent = new Map<string, Spent>();
  readonly #now: () => number;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  spend(key: string): void {
    for (const other of this.#spent.keys()) if (this.#owed(other) === 0) this.#spent.delete(other);
    this.#spent.set(key, { kills: this.#owed(key) + 1, atMs: this.#now() });
  }

  /** Returns the milliseconds until the environment may run again; 0 means now. */
  waitMs(key: string): number {
    return (Math.max(0, this.#owed(key) - BURST) * 1_000) / PER_SECOND;
  }

  #owed(key: string): number {
    const { kills, atMs } = this.#spent.get(key) ?? { kills: 0, atMs: 0 };
    return Math.max(0, kills - ((this.#now() - atMs) / 1_000) * PER_SECOND);
  }
}
