/** Tells whether what the entries are loaded from is away for a while. */
export interface Outage {
  readonly isAway: boolean;
  /** A load failed. @returns whether it failed because the source is away */
  report(error: unknown): boolean;
  /** @returns the end of the subscription */
  onBack(listener: () => void): () => void;
}

/** How long after its load an entry may serve while its source is away. */
const MAX_STALE_MS = 300_000;
/** Expired entries stay in memory this long: until then a load has failed, and everyone knows of an outage. */
const GRACE_MS = 60_000;

interface Limits {
  readonly ttlMs: number;
  /** Beyond it the entry that was not read for the longest time goes. */
  readonly maxEntries: number;
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Without it a load that fails is a failure, whatever was known before. */
  readonly outage?: Outage | undefined;
}

interface Entry<V> {
  readonly value: V;
  readonly loadedAt: number;
  readonly expiresAt: number;
}

interface Load<V> {
  result?: Promise<V | undefined>;
}

/**
 * Keeps what was loaded for a short time. Callers who miss at the same time share one load; failures and `undefined` are not
 * kept. What has expired leaves the memory soon, whether or not anybody asks. During an outage of the source, entries serve up
 * to five minutes from their load, and none of them afterwards.
 */
export class ExpiringCache<K, V> implements Disposable {
  readonly #entries = new Map<K, Entry<V>>();
  readonly #loads = new Map<K, Load<V>>();
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #sweeper: NodeJS.Timeout;
  readonly #unsubscribe: (() => void) | undefined;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#now = limits.now ?? (() => performance.now());
    this.#sweeper = setInterval(() => this.#sweep(), limits.ttlMs).unref();
    // What changed meanwhile was announced to nobody.
    this.#unsubscribe = limits.outage?.onBack(() => this.clear());
  }

  /** How many entries are held in memory. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether there is an entry that can be served now, even while the source is away. */
  get isServing(): boolean {
    for (const entry of this.#entries.values()) if (this.#mayServeInOutage(entry)) return true;
    return false;
  }

  /**
   * The kept value, else what `load` finds. The time to live counts from the beginning of the load, when its facts were still
   * true.
   */
  async get(key: K, load: () => Promise<V | undefined>): Promise<V | undefined> {
    const entry = this.#entries.get(key);
    if (entry !== undefined && (entry.expiresAt > this.#now() || this.#isNeeded(entry))) return this.#touch(key, entry);

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
    this.#unsubscribe?.();
    this.clear();
  }

  #sweep(): void {
    const graceMs = this.#limits.outage === undefined ? 0 : GRACE_MS;
    const dead = this.#now() - graceMs;
    for (const [key, entry] of this.#entries) if (entry.expiresAt <= dead && !this.#isNeeded(entry)) this.#entries.delete(key);
  }

  #isNeeded(entry: Entry<V>): boolean {
    return this.#limits.outage?.isAway === true && this.#mayServeInOutage(entry);
  }

  #mayServeInOutage({ loadedAt }: Entry<V>): boolean {
    return this.#now() < loadedAt + MAX_STALE_MS;
  }

  async #run(key: K, load: () => Promise<V | undefined>, mine: Load<V>): Promise<V | undefined> {
    const loadedAt = this.#now();
    const isCurrent = () => this.#loads.get(key) === mine;
    try {
      const value = await load();
      if (!isCurrent()) return value;
      this.#entries.delete(key);
      if (value !== undefined) this.#keep(key, { value, loadedAt, expiresAt: loadedAt + this.#limits.ttlMs });
      return value;
    } catch (error) {
      const isOutage = this.#limits.outage?.report(error) === true;
      const known = isCurrent() ? this.#entries.get(key) : undefined;
      if (isOutage && known !== undefined && this.#mayServeInOutage(known)) return known.value;
      // Gone or unusable, says the source itself.
      if (!isOutage && isCurrent()) this.#entries.delete(key);
      throw error;
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
