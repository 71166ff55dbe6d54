import type { Clock } from '../kit/clock.ts';

const WINDOW_MS = 60_000;
/** Keys above this number share one count, so that the memory is bounded. */
const MAX_KEYS = 10_000;
const THE_REST = '';

/** Counts per key within the running minute. */
export class FixedWindow {
  readonly #limit: number;
  readonly #clock: Clock;
  readonly #counts = new Map<string, number>();
  #window = 0;

  /** @param limit per key and minute; 0 counts nothing */
  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts one more. Over the limit: the seconds until the minute ends; otherwise undefined. */
  hit(key: string): number | undefined {
    if (this.#limit === 0) return undefined;
    const now = this.#clock.now().getTime();
    this.#roll(Math.floor(now / WINDOW_MS));
    const name = this.#counts.has(key) || this.#counts.size < MAX_KEYS ? key : THE_REST;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count > this.#limit ? Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1_000) : undefined;
  }

  #roll(window: number): void {
    if (window === this.#window) return;
    this.#window = window;
    this.#counts.clear();
  }
}
