import { type CryptoKey, createLocalJWKSet, createRemoteJWKSet, customFetch, type JWSHeaderParameters } from 'jose';
import { LRUCache } from 'lru-cache';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../kit/logger.ts';
import { type Outbound, OutboundError } from '../kit/outbound.ts';

// Times are those of `Date`, which jose uses.
/** A delivery waits for it, and its sender for us. */
const FETCH_TIMEOUT_MS = 3_000;
const MAX_BYTES = 262_144;
const MAX_KEYS = 100;
const MAX_SETS = 100;
const FRESH_MS = 10 * 60_000;
/** Beyond it a key may long have been withdrawn. */
const STALE_MS = 24 * 3_600_000;
/** Tokens with made-up key IDs must not become calls to the provider. */
const COOLDOWN_MS = 60_000;
const RETRY_AFTER_SECONDS = 10;

interface KeySetOptions {
  readonly outbound: Pick<Outbound, 'call'>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Public keys of providers (RFC 7517), by the address of their set. Kept for ten minutes, and for a day while the provider is
 * unavailable; an unknown key ID has them fetched again, at most once a minute.
 */
export class KeySets {
  readonly #sets: LRUCache<string, KeySet>;

  constructor(options: KeySetOptions) {
    this.#sets = new LRUCache({ max: MAX_SETS, memoMethod: (url) => new KeySet(url, options) });
  }

  /**
   * The key that a token's header names, which may leave out `kid` where only one key fits its algorithm.
   *
   * @returns undefined when the provider has no such key
   * @throws ServiceError `provider_unavailable` when it cannot be known whether the provider has it
   */
  find(url: string, header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    return this.#sets.memo(url).find(header);
  }
}

class KeySet {
  readonly #url: string;
  readonly #options: KeySetOptions;
  #remote: ReturnType<typeof createRemoteJWKSet> | undefined;
  #last: { readonly body: string; readonly fetchedAt: number } | undefined;
  #failedAt: number | undefined;

  constructor(url: string, options: KeySetOptions) {
    this.#url = url;
    this.#options = options;
  }

  async find(header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    try {
      this.#remote ??= createRemoteJWKSet(new URL(this.#url), {
        cacheMaxAge: FRESH_MS,
        cooldownDuration: COOLDOWN_MS,
        [customFetch]: async () => new Response(await this.#fetchOrKept()),
      });
      return await this.#remote(header);
    } catch {
      // A kept set may lack a key that the provider has by now.
      if (this.#remote === undefined || this.#failedAt !== undefined) throw unavailable();
      // No key fits, several do, or it cannot be read: none that could verify.
      return undefined;
    }
  }

  async #fetchOrKept(): Promise<string> {
    if (this.#failedAt === undefined || Date.now() >= this.#failedAt + RETRY_AFTER_SECONDS * 1_000) {
      try {
        this.#last = { body: await this.#fetch(), fetchedAt: Date.now() };
        this.#failedAt = undefined;
      } catch (error) {
        const reason = error instanceof OutboundError ? error.code : 'not a key set';
        this.#options.log.warn('the keys of a provider cannot be fetched', { url: this.#url, reason });
        this.#failedAt = Date.now();
      }
    }
    if (this.#last === undefined || Date.now() >= this.#last.fetchedAt + STALE_MS) throw unavailable();
    return this.#last.body;
  }

  async #fetch(): Promise<string> {
    const bounds = { timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_BYTES };
    const response = await this.#options.outbound.call(this.#url, { headers: { accept: 'application/json' }, ...bounds });
    if (response.status !== 200) throw new TypeError('not a key set');
    const body = response.body.toString('utf8');
    const set = JSON.parse(body);
    createLocalJWKSet(set);
    if (set.keys.length > MAX_KEYS) throw new TypeError('too many keys');
    return body;
  }
}

function unavailable(): ServiceError {
  return new ServiceError('provider_unavailable', 'the keys of the provider cannot be fetched', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
