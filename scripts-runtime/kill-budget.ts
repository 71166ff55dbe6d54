/** Kills of one environment that cost it nothing, after a time without any. */
const BURST = 2;
const PER_SECOND = 1;

interface Spent {
  readonly kills: number;
  readonly atMs: number;
}

/**
 * How often an environment's scripts may make the pool start a new process, which costs the machine more than most runs do.
 * One whose scripts are killed more often waits before its next run; the others do not.
 */
export class KillBudget {
  readonly #spent = new Map<string, Spent>();
  readonly #now: () => number;

  /** @param now milliseconds of a clock that never goes back */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  spend(key: string): void {
    for (const other of this.#spent.keys()) if (this.#owed(other) === 0) this.#spent.delete(other);
    this.#spent.set(key, { kills: this.#owed(key) + 1, atMs: this.#now() });
  }

  /** Milliseconds until it may run again; 0: now. */
  waitMs(key: string): number {
    return (Math.max(0, this.#owed(key) - BURST) * 1_000) / PER_SECOND;
  }

  #owed(key: string): number {
    const { kills, atMs } = this.#spent.get(key) ?? { kills: 0, atMs: 0 };
    return Math.max(0, kills - ((this.#now() - atMs) / 1_000) * PER_SECOND);
  }
}
