interface Limits {
  readonly ttlMs: number;
  /** Beyond it the entry that was not read for the longest time goes. */
  readonly maxEntries: number;
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

interface Entry<V> {
  readonly value: V;
  readonly expiresAt: number;
}

interface Load<V> {
  result?: Promise<V | undefined>;
}

/**
 * Keeps what was loaded for a short time. Callers who miss at the same time share one load; failures and `undefined` are not
 * kept. What has expired leaves the memory at most one time to live later, whether or not anybody asks.
 */
export class ExpiringCache<K, V> implements Disposable {
  readonly #entries = new Map<K, Entry<V>>();
  readonly #loads = new Map<K, Load<V>>();
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #sweeper: NodeJS.Timeout;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#now = limits.now ?? (() => performance.now());
    this.#sweeper = setInterval(() => this.#sweep(), limits.ttlMs).unref();
  }

  /** How many entries are held in memory. */
  get size(): number {
    return this.#entries.size;
  }

  /**
   * The kept value, else what `load` finds. The time to live counts from the beginning of the load, when its facts were still
   * true.
   */
  async get(key: K, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.expiresAt > this.#now()) return this.#touch(key, entry);

    const underWay = this.#loads.get(key)?.result;
    if (underWay !== undefined) return underWay;

    const mine: Load<V> = {};
    this.#loads.set(key, mine);
    mine.result = this.#run(key, load, mine);
    return mine.result;
  }

  /**
   * Forgets one key. A load under way still answers those who wait for it, but its result is not kept and no one else joins
   * it.
   */
  delete(key: K): void {
    this.#entries.delete(key);
    this.#loads.delete(key);
  }

  /** `delete` for every key that this is true of. */
  deleteWhere(isMeant: (key: K) => boolean): void {
    for (const key of new Set([...this.#entries.keys(), ...this.#loads.keys()])) if (isMeant(key)) this.delete(key);
  }

  /** `delete` for every key. */
  clear(): void {
    this.#entries.clear();
    this.#loads.clear();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeper);
    this.clear();
  }

  #sweep(): void {
    const now = this.#now();
    for (const [key, { expiresAt }] of this.#entries) if (expiresAt <= now) this.#entries.delete(key);
  }

  async #run(key: K, load: () => Promise<V | undefined>, mine: Load<V>): Promise<V | undefined> {
    const expiresAt = this.#now() + this.#limits.ttlMs;
    const isCurrent = () => this.#loads.get(key) === mine;
    try {
      const value = await load();
      if (value !== undefined && isCurrent()) this.#keep(key, { value, expiresAt });
      return value;
    } finally {
      if (isCurrent()) this.#loads.delete(key);
    }
  }

  #keep(key: K, entry: Entry<V>): void {
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#limits.maxEntries) return;
      this.#entries.delete(oldest);
    }
  }

  /**
   * A map lists its keys in the order they were set: setting again makes this one the youngest. While there is room for twice
   * as many, nothing is about to go and the order does not matter.
   */
  #touch(key: K, entry: Entry<V>): V {
    if (this.#entries.size * 2 > this.#limits.maxEntries) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry.value;
  }
}
