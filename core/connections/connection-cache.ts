import type { Notices } from '../db/notices.ts';
import type { Integration } from '../integrations/integration.ts';
import { INTEGRATION_TOPIC, requireIntegration } from '../integrations/integrations.ts';
import { ExpiringCache, type Outage } from '../kit/expiring-cache.ts';
import type { Connection } from './connection.ts';
import type { ConnectionAddress, ConnectionStoreDeps } from './connection-store.ts';
import { addressKey, CONNECTION_TOPIC, requireConnection, unknownConnection } from './connections.ts';

/** How long a change may stay unseen where notices do not arrive (behind a pooler in transaction mode). */
const CACHE_MS = 10_000;
/** Decrypted, so no more of them than are in use at the same time. */
const CACHE_ENTRIES = 2_000;

interface CacheDeps<Entry> extends ConnectionStoreDeps {
  /** Makes what is kept of a connection: worked out once, not for each call. */
  readonly prepare: (found: FoundConnection) => Entry;
  readonly notices: Notices;
  readonly outage?: Outage | undefined;
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  readonly now?: (() => number) | undefined;
}

/** An integration and a connection of it. Snapshots: a change brings new objects. */
export interface FoundConnection {
  readonly integration: Integration;
  readonly connection: Connection;
}

/** Connections that were used a moment ago, so that a proxied call needs no query. */
export class ConnectionCache<Entry> implements Disposable {
  readonly #deps: CacheDeps<Entry>;
  readonly #known: ExpiringCache<string, Entry>;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(deps: CacheDeps<Entry>) {
    this.#deps = deps;
    this.#known = new ExpiringCache({ ttlMs: CACHE_MS, maxEntries: CACHE_ENTRIES, now: deps.now, outage: deps.outage });
    const clear = () => this.#known.clear();
    this.#unsubscribe = [
      deps.notices.subscribe(CONNECTION_TOPIC, (key) => this.#known.delete(key), clear),
      // Integrations change seldom.
      deps.notices.subscribe(INTEGRATION_TOPIC, clear, clear),
    ];
  }

  [Symbol.dispose](): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    this.#known[Symbol.dispose]();
  }

  /** Whether there are connections whose calls can be passed on while the database is away. */
  get isServing(): boolean {
    return this.#known.isServing;
  }

  /** @throws ServiceError `unknown_provider_config`, `unknown_connection` */
  async find(address: ConnectionAddress): Promise<Entry> {
    const found = await this.#known.get(addressKey(address), async () => {
      const integration = await requireIntegration(this.#deps, address.environmentId, address.providerConfigKey);
      return this.#deps.prepare({ integration, connection: await requireConnection(this.#deps, address) });
    });
    if (found === undefined) throw unknownConnection(address);
    return found;
  }
}
