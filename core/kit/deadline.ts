import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Number of event loop turns without data after which the wait ends. More than one, since a turn may only complete a TLS record
 * or a name look-up, and the data follows in the next.
 */
const IDLE_TURNS = 5;

/**
 * The time limit of an exchange. It never discards data that has arrived: the event loop runs timers before it reads sockets, so
 * after a pause of the process (SIGSTOP, a suspended machine) a complete response may be waiting in the socket when the timer
 * fires. Therefore, when the time is over, the exchange is not aborted while data is still arriving.
 */
export class Deadline implements Disposable {
  readonly #end = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #progress: () => number | undefined;

  /**
   * @param progress returns a number that increases with everything that arrives, or undefined while nothing was sent. In that
   *   case nothing can have arrived, and the exchange ends immediately, so that nothing is sent after the time limit
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
