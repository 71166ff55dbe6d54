import { LRUCache } from 'lru-cache';

/** Tells whether the source of a cache's entries is unreachable. */
export interface Outage {
  readonly isAway: boolean;
  /** A load failed. @returns whether it failed because the source is unreachable */
  report(error: unknown): boolean;
  /** @returns the end of the subscription */
  onBack(listener: () => void): () => void;
}

/** How long after its load an entry may be served while its source is unreachable. */
const MAX_STALE_MS = 300_000;
const MAX_ATTEMPTS = 3;

interface CacheOptions {
  readonly ttlMs: number;
  /** Beyond it the least recently used entry is evicted. */
  readonly maxEntries: number;
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Without it an entry is never served after `ttlMs`. */
  readonly outage?: Outage | undefined;
}

interface Entry<V> {
  readonly value: V;
  /** When its load began: the facts were true then. */
  readonly loadedAt: number;
}

type Load<V> = () => Promise<V | undefined>;

/** Why a load failed. Any other rejection of a fetch is the cache's own: the entry was deleted meanwhile. */
class LoadError extends Error {}

/**
 * Keeps what was loaded for a short time. Callers who miss at the same time share one load; failures and `undefined` are not
 * kept. During an outage of the source, entries are served up to five minutes from their load.
 */
export class ExpiringCache<K extends string | number, V> implements Disposable {
  readonly #options: CacheOptions;
  readonly #now: () => number;
  readonly #entries: LRUCache<K, Entry<V>, Load<V>>;
  readonly #unsubscribe: (() => void) | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#entries = new LRUCache<K, Entry<V>, Load<V>>({
      max: options.maxEntries,
      ttl: options.outage === undefined ? options.ttlMs : MAX_STALE_MS,
      ttlAutopurge: true,
      ttlResolution: 0,
      perf: { now: this.#now },
      fetchMethod: (_key, cached, { context }) => this.#load(context, cached),
    });
    // Changes made during an outage were not announced.
    this.#unsubscribe = options.outage?.onBack(() => this.clear());
  }

  /** How many entries are held in memory. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether there is an entry that can be served while the source is unreachable. */
  get isServing(): boolean {
    for (const entry of this.#entries.values()) if (this.#isYounger(entry, MAX_STALE_MS)) return true;
    return false;
  }

  /** The kept value, else what `load` finds. After a `delete` during the load it is loaded again. */
  async get(key: K, load: Load<V>): Promise<V | undefined> {
    const { ttlMs, outage } = this.#options;
    const cached = this.#entries.get(key);
    if (cached !== undefined && this.#isYounger(cached, outage?.isAway === true ? MAX_STALE_MS : ttlMs)) return cached.value;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      try {
        const entry = await this.#entries.fetch(key, { context: load, forceRefresh: true });
        if (entry === undefined) this.#entries.delete(key);
        return entry?.value;
      } catch (error) {
        if (error instanceof LoadError) throw error.cause;
      }
    }
    return await load();
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  [Symbol.dispose](): void {
    this.#unsubscribe?.();
    this.clear();
  }

  #isYounger({ loadedAt }: Entry<V>, ageMs: number): boolean {
    return this.#now() < loadedAt + ageMs;
  }

  async #load(load: Load<V>, cached: Entry<V> | undefined): Promise<Entry<V> | undefined> {
    const loadedAt = this.#now();
    try {
      const value = await load();
      return value === undefined ? undefined : { value, loadedAt };
    } catch (cause) {
      const isOutage = this.#options.outage?.report(cause) === true;
      if (isOutage && cached !== undefined && this.#isYounger(cached, MAX_STALE_MS)) return cached;
      throw new LoadError('the load failed', { cause });
    }
  }
}
