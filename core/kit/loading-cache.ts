import { LRUCache } from 'lru-cache';

/** Tells whether the source of a cache's entries can be reached. */
export interface SourceAvailability {
  readonly isDown: boolean;
  /** Reports the error with which a load has failed. @returns whether it failed because the source is unreachable */
  reportFailure(error: unknown): boolean;
  /** Calls the listener when the source is reachable again. @returns ends the subscription */
  onRecovery(listener: () => void): () => void;
}

/** Age up to which an entry may be served while its source is unreachable. */
const MAX_STALE_MS = 300_000;

interface LoadingCacheOptions {
  /** Age in milliseconds up to which an entry is served. A function is called at each look-up. */
  readonly ttlMs: number | (() => number);
  /** Maximum number of entries, beyond which the least recently used one is evicted. */
  readonly maxEntries: number;
  /** Returns milliseconds of a clock that never goes back. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Availability of the source. Without it an entry is never served after `ttlMs`. */
  readonly availability?: SourceAvailability | undefined;
}

type Load<V> = () => Promise<V | undefined>;

interface CacheEntry<V> {
  readonly value: V | undefined;
  /** The time at which the load began, for which the value is certain to be right. */
  readonly loadedAt: number;
}

/**
 * Keeps loaded values for a short time. Callers who request a missing value at the same time share one load; failures and
 * `undefined` are not kept. During an outage of the source, entries are served until five minutes after they were loaded.
 */
export class LoadingCache<K extends string | number, V> implements Disposable {
  readonly #options: LoadingCacheOptions;
  readonly #now: () => number;
  readonly #entries: LRUCache<K, CacheEntry<V>, Load<V>>;
  readonly #unsubscribe: (() => void) | undefined;

  constructor(options: LoadingCacheOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#entries = new LRUCache<K, CacheEntry<V>, Load<V>>({
      max: options.maxEntries,
      ttl: options.availability === undefined ? this.#ttlMs : MAX_STALE_MS,
      ttlAutopurge: true,
      ttlResolution: 0,
      perf: { now: this.#now },
      // Callers who wait for a load get its result, even if the entry is deleted before the load ends.
      ignoreFetchAbort: true,
      fetchMethod: (_key, cached, { context, signal }) => this.#load(context, cached, signal),
    });
    // During the outage the cache was not notified of changes, so all entries may be out of date.
    this.#unsubscribe = options.availability?.onRecovery(() => this.clear());
  }

  get #ttlMs(): number {
    const { ttlMs } = this.#options;
    return typeof ttlMs === 'number' ? ttlMs : ttlMs();
  }

  /** Number of entries in memory. */
  get size(): number {
    return this.#entries.size;
  }

  /** True if there is an entry that can be served while the source is unreachable. */
  get isServing(): boolean {
    return this.#entries.values().some((entry) => this.#isYounger(entry, MAX_STALE_MS));
  }

  /** Returns the kept value or, if there is none, loads it. A value that is deleted during its load is loaded again. */
  async get(key: K, load: Load<V>): Promise<V | undefined> {
    const cached = this.#entries.get(key);
    const maxAgeMs = this.#options.availability?.isDown === true ? MAX_STALE_MS : this.#ttlMs;
    if (cached !== undefined && this.#isYounger(cached, maxAgeMs)) return cached.value;
    const entry = await this.#entries.fetch(key, { context: load, forceRefresh: true });
    if (entry?.value === undefined) this.delete(key);
    return entry?.value;
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

  async #load(load: Load<V>, cached: CacheEntry<V> | undefined, deleted: AbortSignal): Promise<CacheEntry<V>> {
    const loadedAt = this.#now();
    try {
      const value = await load();
      if (!deleted.aborted) return { value, loadedAt };
    } catch (error) {
      if (!deleted.aborted) {
        const isOutage = this.#options.availability?.reportFailure(error) === true;
        if (isOutage && cached !== undefined && this.#isYounger(cached, MAX_STALE_MS)) return cached;
        throw error;
      }
    }
    return { value: await load(), loadedAt };
  }

  #isYounger({ loadedAt }: CacheEntry<V>, ageMs: number): boolean {
    return this.#now() < loadedAt + ageMs;
  }
}
