import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Number of event loop turns without data after which the wait ends. More than one, since a turn may bring only the end of a
 * TLS record or of a name look-up.
 */
const IDLE_TURNS = 5;

/**
 * The time limit of an exchange. It never discards data that has arrived: the event loop runs timers before it reads sockets,
 * so after a pause of the process (SIGSTOP, a suspended machine) a complete response may lie in the socket while the timer is
 * long due. When the time is over, the loop therefore runs on for as long as data arrives.
 */
export class Deadline implements Disposable {
  readonly #end = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #progress: () => number | undefined;

  /**
   * @param progress returns a number that grows with everything that arrives; undefined while nothing was sent: then nothing
   *   can have arrived, and the exchange ends at once, so that nothing is sent too late
   */
  constructor(milliseconds: number, progress: () => number | undefined) {
    this.#progress = progress;
    this.#timer = setTimeout(() => void this.#expire(), milliseconds);
  }

  /** Aborts when the time is over. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  async #expire(): Promise<void> {
    let seen = this.#progress();
    for (let idle = 0; seen !== undefined && idle < IDLE_TURNS; idle += 1) {
      await nextTurn();
      const now = this.#progress();
      if (now !== seen) idle = 0;
      seen = now;
    }
    this.#end.abort();
  }
}
