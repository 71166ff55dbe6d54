import { setTimeout as pause } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';

/** For each origin and process. */
const CALLS = 10;
const SLOW_CALLS = 40;

interface Slots {
  /** Calls that run or wait. */
  users: number;
  readonly calls: LimitFunction;
  readonly slowCalls: LimitFunction;
}

/** Limits the calls of a process to each origin. A call that takes long makes room for others, as long as few are that slow. */
export class CallSlots {
  readonly #slowAfterMs: number;
  readonly #origins = new Map<string, Slots>();

  constructor({ slowAfterMs }: { readonly slowAfterMs: number }) {
    this.#slowAfterMs = slowAfterMs;
  }

  /** Waits for one of the origin's slots, then works. */
  async run(origin: string, work: () => Promise<void>): Promise<void> {
    const slots = this.#origins.get(origin) ?? { users: 0, calls: pLimit(CALLS), slowCalls: pLimit(SLOW_CALLS) };
    slots.users += 1;
    this.#origins.set(origin, slots);
    let ended: Promise<void> = Promise.resolve();
    try {
      await slots.calls(async () => {
        ended = work();
        // Its failure is thrown below.
        const finished = ended.catch(() => undefined);
        await this.#endedOrSlow(slots, finished);
      });
      await ended;
    } finally {
      slots.users -= 1;
      if (slots.users === 0) this.#origins.delete(origin);
    }
  }

  async #endedOrSlow({ slowCalls }: Slots, finished: Promise<void>): Promise<void> {
    const over = new AbortController();
    const hasMoved = Promise.withResolvers<void>();
    const patience = pause(this.#slowAfterMs, undefined, { signal: over.signal, ref: false });
    patience.then(
      () =>
        slowCalls(() => {
          hasMoved.resolve();
          return finished;
        }),
      () => undefined,
    );
    await Promise.race([finished, hasMoved.promise]);
    // One that has ended moves nowhere; the wait for a slot among the slow ones, should it be in one, then is over at once.
    over.abort();
  }
}
