import type { Notices } from '../db/notices.ts';
import type { StoreDeps } from '../db/store-deps.ts';
import { LoadingCache, type SourceAvailability } from '../kit/loading-cache.ts';
import type { Connection } from './connection.ts';
import type { ConnectionAddress } from './connection-store.ts';
import { addressKey, CONNECTION_TOPIC, requireConnection, unknownConnection } from './connections.ts';
import type { Integration } from './integrations/integration.ts';
import { INTEGRATION_TOPIC, requireIntegration } from './integrations/integrations.ts';

/**
 * Maximum age of an entry, in milliseconds. That is how long a change may go unnoticed where notices do not arrive, such as
 * behind a pooler in transaction mode.
 */
const CACHE_MS = 10_000;
/**
 * Maximum number of cached connections. Not more than are likely to be in use at the same time, since their credentials are
 * cached decrypted.
 */
const CACHE_ENTRIES = 2_000;

interface CacheOptions<Entry> extends StoreDeps {
  readonly notices: Notices;
  /** Builds the cached entry of a connection, so that calls that find it in the cache compute nothing. */
  readonly prepare: (found: FoundConnection) => Entry;
  readonly availability?: SourceAvailability | undefined;
  /** Returns the milliseconds of a monotonic clock. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** An integration and one of its connections. Both are snapshots: after a change, new objects are loaded. */
export interface FoundConnection {
  readonly integration: Integration;
  readonly connection: Connection;
}

/** A cache of recently used connections, so that a proxied call needs no query. */
export class ConnectionCache<Entry> implements Disposable {
  readonly #options: CacheOptions<Entry>;
  readonly #entries: LoadingCache<string, Entry>;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(options: CacheOptions<Entry>) {
    this.#options = options;
    this.#entries = new LoadingCache({
      ttlMs: CACHE_MS,
      maxEntries: CACHE_ENTRIES,
      now: options.now,
      availability: options.availability,
    });
    const clear = () => this.#entries.clear();
    this.#unsubscribe = [
      options.notices.subscribe(CONNECTION_TOPIC, (key) => this.#entries.delete(key), clear),
      // All entries are dropped, since integrations seldom change.
      options.notices.subscribe(INTEGRATION_TOPIC, clear, clear),
    ];
  }

  [Symbol.dispose](): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#entries[Symbol.dispose]();
  }

  /** True when there are cached connections whose calls can be passed on while the database is unreachable. */
  get isServing(): boolean {
    return this.#entries.isServing;
  }

  /**
   * Returns the entry of a connection, from the cache or the database.
   *
   * @throws ServiceError `unknown_provider_config`, `unknown_connection`
   */
  async find(address: ConnectionAddress): Promise<Entry> {
    const found = await this.#entries.get(addressKey(address), async () => {
      const integration = await requireIntegration(this.#options, address.environmentId, address.providerConfigKey);
      return this.#options.prepare({ integration, connection: await requireConnection(this.#options, address) });
    });
    if (found === undefined) throw unknownConnection(address);
    return found;
  }
}
