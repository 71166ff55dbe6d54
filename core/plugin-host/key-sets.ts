import { type CryptoKey, createLocalJWKSet, type JSONWebKeySet, type JWSHeaderParameters } from 'jose';
import { ServiceError } from '../errors.ts';
import type { Logger } from '../kit/logger.ts';
import { type Outbound, OutboundError } from '../kit/outbound.ts';
import { SingleFlight } from '../kit/single-flight.ts';

/** A delivery waits for it, and its sender for us. */
const FETCH_TIMEOUT_MS = 3_000;
const MAX_BYTES = 262_144;
const MAX_KEYS = 100;
const MAX_SETS = 100;
const FRESH_MS = 10 * 60_000;
/** Beyond it a key may long have been withdrawn. */
const STALE_MS = 24 * 3_600_000;
/** Tokens with made-up key IDs must not become calls to the provider. */
const GAP_MS = 60_000;
const GAP_AFTER_FAILURE_MS = 10_000;

interface KeySet {
  readonly pick: ReturnType<typeof createLocalJWKSet> | undefined;
  readonly fetchedAt: number;
  readonly triedAt: number;
  readonly hasFailed: boolean;
}

interface KeySetOptions {
  readonly outbound: Pick<Outbound, 'call'>;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds of a clock that never goes back. Default `performance.now`. */
  readonly now?: () => number;
}

/**
 * Public keys of providers (RFC 7517), by the address of their set. Kept for ten minutes, and for a day while the provider does
 * not answer; an unknown key has them fetched anew, at most once a minute.
 */
export class KeySets {
  readonly #sets = new Map<string, KeySet>();
  readonly #fetches = new SingleFlight<string, KeySet>();
  readonly #options: KeySetOptions;
  readonly #now: () => number;

  constructor(options: KeySetOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * The key that a token's header means, which may leave out `kid` where only one key fits its algorithm.
   *
   * @returns undefined when the provider has no such key
   * @throws ServiceError `provider_unavailable` when it cannot be known whether the provider has it
   */
  async find(url: string, header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    const kept = this.#sets.get(url);
    const known = kept && (await this.#pick(kept, FRESH_MS, header));
    if (known !== undefined) return known;

    const set = kept === undefined || this.#isDue(kept) ? await this.#fetches.run(url, () => this.#refetch(url)) : kept;
    const key = await this.#pick(set, STALE_MS, header);
    if (key === undefined && set.hasFailed) {
      const retryAfterSeconds = GAP_AFTER_FAILURE_MS / 1000;
      throw new ServiceError('provider_unavailable', 'the keys of the provider cannot be fetched', { retryAfterSeconds });
    }
    return key;
  }

  #isDue({ triedAt, hasFailed }: KeySet): boolean {
    return this.#now() - triedAt >= (hasFailed ? GAP_AFTER_FAILURE_MS : GAP_MS);
  }

  async #pick({ pick, fetchedAt }: KeySet, maxAgeMs: number, header: JWSHeaderParameters): Promise<CryptoKey | undefined> {
    if (pick === undefined || this.#now() - fetchedAt >= maxAgeMs) return undefined;
    // No key fits, several do, or it cannot be read: none that could verify.
    return await pick(header).catch(() => undefined);
  }

  async #refetch(url: string): Promise<KeySet> {
    const triedAt = this.#now();
    const before = this.#sets.get(url);
    let set: KeySet;
    try {
      const pick = createLocalJWKSet(await this.#fetch(url));
      set = { pick, fetchedAt: triedAt, triedAt, hasFailed: false };
    } catch (error) {
      const reason = error instanceof OutboundError ? error.code : 'not a key set';
      this.#options.log.warn('the keys of a provider cannot be fetched', { url, reason });
      set = { pick: before?.pick, fetchedAt: before?.fetchedAt ?? triedAt, triedAt, hasFailed: true };
    }
    this.#keep(url, set);
    return set;
  }

  async #fetch(url: string): Promise<JSONWebKeySet> {
    const headers = { accept: 'application/json' };
    const answer = await this.#options.outbound.call(url, { headers, timeoutMs: FETCH_TIMEOUT_MS, maxBytes: MAX_BYTES });
    const body: unknown = answer.status === 200 ? JSON.parse(answer.body.toString('utf8')) : undefined;
    if (!isKeySet(body)) throw new TypeError('not a key set');
    return body;
  }

  #keep(url: string, set: KeySet): void {
    this.#sets.delete(url);
    this.#sets.set(url, set);
    const [oldest] = this.#sets.keys();
    if (this.#sets.size > MAX_SETS && oldest !== undefined) this.#sets.delete(oldest);
  }
}

/** Each key is looked at when it is used; what does not fit is passed over then. */
function isKeySet(body: unknown): body is JSONWebKeySet {
  if (typeof body !== 'object' || body === null || !('keys' in body)) return false;
  return Array.isArray(body.keys) && body.keys.length <= MAX_KEYS;
}
