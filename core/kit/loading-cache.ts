import { LRUCache } from 'lru-cache';

/** Whether the source of a cache's entries can be reached. */
export interface SourceAvailability {
  readonly isDown: boolean;
  /** @returns whether a load failed because the source is unreachable */
  reportFailure(error: unknown): boolean;
  /** @returns the end of the subscription */
  onRecovery(listener: () => void): () => void;
}

/** How long after its load an entry may be served while its source is unreachable. */
const MAX_STALE_MS = 300_000;

interface LoadingCacheOptions {
  /** A function is asked at each look. */
  readonly ttlMs: number | (() => number);
  /** Beyond it the least recently used entry is evicted. */
  readonly maxEntries: number;
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
  /** Without it an entry is never served after `ttlMs`. */
  readonly availability?: SourceAvailability | undefined;
}

type Load<V> = () => Promise<V | undefined>;

interface CacheEntry<V> {
  readonly value: V | undefined;
  /** When its load began: the facts were true then. */
  readonly loadedAt: number;
}

/**
 * Keeps what was loaded for a short time. Callers who miss at the same time share one load; failures and `undefined` are not
 * kept. During an outage of the source, entries are served up to five minutes from their load.
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
      // The callers who wait for a load get its result, though the entry was deleted meanwhile.
      ignoreFetchAbort: true,
      fetchMethod: (_key, cached, { context, signal }) => this.#load(context, cached, signal),
    });
    // Changes made during an outage were not announced.
    this.#unsubscribe = options.availability?.onRecovery(() => this.clear());
  }

  get #ttlMs(): number {
    const { ttlMs } = this.#options;
    return typeof ttlMs === 'number' ? ttlMs : ttlMs();
  }

  /** How many entries are held in memory. */
  get size(): number {
    return this.#entries.size;
  }

  /** Whether there is an entry that can be served while the source is unreachable. */
  get isServing(): boolean {
    return this.#entries.values().some((entry) => this.#isYounger(entry, MAX_STALE_MS));
  }

  /** The kept value, else what `load` finds. After a `delete` during the load it is loaded again. */
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
