const WINDOW_MS = 60_000;
/** Maximum number of keys that are counted separately in a minute; all further ones share one count, to limit memory use. */
const MAX_KEYS = 10_000;
const OVERFLOW = '';

export interface RateLimitResult {
  readonly limit: number;
  readonly remaining: number;
  /** The end of the current minute. */
  readonly resetsAt: Date;
  /** Set when the limit is exceeded. */
  readonly retryAfterSeconds?: number;
}

/** Limits uses per minute and key (such as the ID of an API key, or a client's address), separately in each process. */
export class FixedWindow {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #counts = new Map<string | number, number>();
  #window = 0;

  /**
   * @param limit maximum number of uses per key and minute; 0 means no limit
   * @param now returns the current time in milliseconds
   */
  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  consume(key: string | number): RateLimitResult {
    const limit = this.#limit;
    const now = this.#now();
    const window = Math.floor(now / WINDOW_MS);
    const resetsAt = new Date((window + 1) * WINDOW_MS);
    if (limit === 0) return { limit, remaining: 0, resetsAt };
    if (window !== this.#window) this.#counts.clear();
    this.#window = window;
    const counted = this.#counts.has(key) || this.#counts.size < MAX_KEYS ? key : OVERFLOW;
    const count = (this.#counts.get(counted) ?? 0) + 1;
    this.#counts.set(counted, count);
    const remaining = Math.max(0, limit - count);
    if (count <= limit) return { limit, remaining, resetsAt };
    return { limit, remaining, resetsAt, retryAfterSeconds: Math.ceil((resetsAt.getTime() - now) / 1_000) };
  }
}
