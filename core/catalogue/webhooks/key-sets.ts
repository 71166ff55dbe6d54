import { type CryptoKey, createLocalJWKSet, createRemoteJWKSet, customFetch, type JWSHeaderParameters } from 'jose';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../../errors.ts';
import type { Logger } from '../../kit/logger.ts';
import { type Outbound, OutboundError } from '../../kit/outbound.ts';

/** The limits are low: a delivery waits for this response, and its sender waits for the service's. */
const REQUEST = { headers: { accept: 'application/json' }, timeoutMs: 3_000, maxBytes: 262_144 };
const MAX_KEYS = 100;
const MAX_SETS = 100;
/** Times in milliseconds. Without the cooldown, each token with a made-up key ID would cause a request to the provider. */
const CACHE = { cacheMaxAge: 10 * 60_000, cooldownDuration: 60_000 };
/**
 * How long the keys of the last response are used while the provider is unavailable; later, one of them may have been withdrawn.
 */
const MAX_STALE_MS = 24 * 3_600_000;
const RETRY_AFTER_SECONDS = 10;

interface KeySetOptions {
  readonly outbound: Pick<Outbound, 'call'>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Public keys of providers (RFC 7517), by the address of their set. They are cached for ten minutes, and kept for a day while the
 * provider is unavailable; an unknown key ID causes another fetch, at most once a minute.
 */
export class KeySets {
  readonly #sets: LRUCache<string, KeySet>;

  constructor(options: KeySetOptions) {
    this.#sets = new LRUCache({ max: MAX_SETS, memoMethod: (url) => new KeySet(url, options) });
  }

  /**
   * Finds the key that a token's header names; the header may lack `kid` if only one key fits its algorithm.
   *
   * @returns undefined if the provider has no such key
   * @throws ServiceError `provider_unavailable` if the keys cannot be fetched, so that the provider may or may not have the key
   */
  async find(url: string, header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    if (!URL.canParse(url)) throw unavailable();
    return await this.#sets.memo(url).find(header);
  }
}

/**
 * The keys of one address. The jose library decides when they are fetched. If a fetch fails, it receives the last response again,
 * so that those keys stay in use.
 */
class KeySet {
  readonly #findKey: (header: JWSHeaderParameters) => Promise<CryptoKey>;
  #last = { body: '', staleAt: 0 };
  /** When keys may be fetched again; set only after a failed fetch. */
  #retryAt: number | undefined;

  constructor(url: string, options: KeySetOptions) {
    const respond = async () => new Response(await this.#fetchOrLast(url, options));
    this.#findKey = createRemoteJWKSet(new URL(url), { ...CACHE, [customFetch]: respond });
  }

  async find(header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    try {
      return await this.#findKey(header);
    } catch {
      // After a failed fetch, the last response may lack a key that the provider has added since.
      if (this.#retryAt !== undefined) throw unavailable();
      // No key fits, several do, or the key cannot be read, so the signature cannot be verified.
      return undefined;
    }
  }

  async #fetchOrLast(url: string, options: KeySetOptions): Promise<string> {
    if (this.#retryAt === undefined || Date.now() >= this.#retryAt) {
      try {
        this.#last = { body: await fetchKeys(url, options), staleAt: Date.now() + MAX_STALE_MS };
        this.#retryAt = undefined;
      } catch (error) {
        const reason = error instanceof OutboundError ? error.code : 'not a key set';
        options.log.warn('the public keys of a provider cannot be fetched', { url, reason });
        this.#retryAt = Date.now() + RETRY_AFTER_SECONDS * 1_000;
      }
    }
    if (Date.now() >= this.#last.staleAt) throw unavailable();
    return this.#last.body;
  }
}

async function fetchKeys(url: string, { outbound }: KeySetOptions): Promise<string> {
  const response = await outbound.call(url, REQUEST);
  if (response.status !== 200) throw new TypeError('not a key set');
  const body = response.body.toString('utf8');
  const set = JSON.parse(body);
  createLocalJWKSet(set);
  if (set.keys.length > MAX_KEYS) throw new TypeError('too many keys');
  return body;
}

function unavailable(): ServiceError {
  return new ServiceError('provider_unavailable', 'the public keys of the provider cannot be fetched', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
