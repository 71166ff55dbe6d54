import type { Knex } from 'knex';
import type { Instances } from '../../db/instances.ts';
import type { Notices } from '../../db/notices.ts';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../kit/clock.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import { LoadingCache, type SourceAvailability } from '../../kit/loading-cache.ts';
import type { Logger } from '../../kit/logger.ts';
import { hashSecret, newAccountKey, newApiKey } from '../../kit/random-id.ts';
import type { EnvironmentsDeps } from '../environments/deps.ts';
import { revokeKeysOf } from '../environments/marked-environment-store.ts';
import { type ApiKey, insertKey, liveKeyByHash, revokeKey } from './api-key-store.ts';
import type { KeyCaller } from './caller.ts';
import type { LastUsed } from './last-used.ts';
import { SCOPES } from './scopes.ts';

/** The topic of notices that make every instance look a key up again; a notice carries the hash of the key. */
export const API_KEY_TOPIC = 'api-key';
/**
 * Milliseconds for which a key is cached. A revoked key stops working within two seconds, unless the database cannot be reached: by a notice or, where notices do not
 * arrive (behind a pooler in transaction mode), because the key is looked up again.
 */
const CACHE_MS = { withNotices: 10_000, without: 1_900 };
const CACHE_ENTRIES = 10_000;
/** How many of the 43 characters of a secret, the last ones, are shown so that people can tell keys apart. */
const SHOWN_CHARACTERS = 4;

interface NewKey {
  readonly name: string;
  readonly scopes: readonly string[];
  /** Default: a new secret. */
  readonly secret?: string | undefined;
  /** Default: the key does not expire. */
  readonly expiresAt?: Date | undefined;
  /** The name of the caller who creates the key. */
  readonly createdBy?: string | undefined;
}

/**
 * Creates an environment key or an account key. The secret is returned only this once.
 *
 * @throws ServiceError `invalid_body` for no scopes or unknown ones, `conflict` if the owner has a key of this name
 */
export async function createKey(
  deps: EnvironmentsDeps,
  owner: { readonly accountId: number; readonly environmentId: number | null },
  wanted: NewKey,
): Promise<ApiKey & { readonly secret: string }> {
  checkScopes(wanted.scopes, owner.environmentId === null ? 'account:' : 'environment:');
  const secret = wanted.secret ?? (owner.environmentId === null ? newAccountKey() : newApiKey());
  const { name, scopes, expiresAt = null, createdBy = null } = wanted;
  const shown = { last4: secret.slice(-SHOWN_CHARACTERS), createdBy };
  const key = await insertKey(deps, { ...owner, name, scopes, secretHash: hashSecret(secret), expiresAt, ...shown });
  if (key === undefined) throw new ServiceError('conflict', `a key called "${wanted.name}" already exists; choose another name`);
  return { ...key, secret };
}

/**
 * Revokes a key: it stops working within two seconds on every instance that reaches the database.
 *
 * @returns its name
 * @throws ServiceError `not_found`
 */
export async function revoke(
  deps: Omit<EnvironmentsDeps, 'keys'>,
  key: { readonly id: number; readonly environmentId: number },
): Promise<string> {
  return withTransaction(deps.db, async (trx) => {
    const revoked = await revokeKey(trx, key);
    if (revoked === undefined) throw new ServiceError('not_found', `there is no API key ${key.id} in this environment`);
    await deps.notices.publish(trx, API_KEY_TOPIC, revoked.hash.toString('hex'));
    return revoked.name;
  });
}

/** Revokes all keys of an environment; takes effect when the transaction `trx` commits. */
export async function revokeAll(
  { notices }: { readonly notices: Pick<Notices, 'publish'> },
  trx: Knex,
  environmentId: number,
): Promise<void> {
  const hashes = await revokeKeysOf(trx, environmentId);
  await notices.publish(
    trx,
    API_KEY_TOPIC,
    hashes.map((hash) => hash.toString('hex')),
  );
}

interface ApiKeyReaderOptions {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly log: Logger;
  readonly notices: Notices;
  readonly instances: Pick<Instances, 'hearsNotices'>;
  readonly availability?: SourceAvailability | undefined;
  /** Decides which keys have expired. */
  readonly clock: Clock;
  /** Records each use of a key. */
  readonly lastUsed: Pick<LastUsed, 'touch'>;
  /** Returns milliseconds of a clock that never goes back. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

interface CachedKey {
  readonly caller: KeyCaller;
  readonly expiresAt: Date | null;
}

/** Finds the caller that a key identifies. Keys are cached for a few seconds, so that most requests need no query. */
export class ApiKeyReader implements Disposable {
  readonly #deps: ApiKeyReaderOptions;
  readonly #known: LoadingCache<string, CachedKey>;
  readonly #unsubscribe: () => void;

  constructor(deps: ApiKeyReaderOptions) {
    this.#deps = deps;
    this.#known = new LoadingCache({
      ttlMs: () => (deps.instances.hearsNotices ? CACHE_MS.withNotices : CACHE_MS.without),
      maxEntries: CACHE_ENTRIES,
      now: deps.now,
      availability: deps.availability,
    });
    this.#unsubscribe = deps.notices.subscribe(
      API_KEY_TOPIC,
      (hash) => this.#known.delete(hash),
      () => this.#known.clear(),
    );
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#known[Symbol.dispose]();
  }

  /** True if the cache holds keys that can be used while the database is unreachable. */
  get isServing(): boolean {
    return this.#known.isServing;
  }

  async callerOf(secret: string): Promise<KeyCaller | undefined> {
    const hash = hashSecret(secret).toString('hex');
    const key = await this.#known.get(hash, () => this.#load(hash));
    if (key === undefined || this.#hasExpired(key)) return undefined;
    this.#deps.lastUsed.touch(key.caller.keyId);
    return key.caller;
  }

  async #load(hash: string): Promise<CachedKey | undefined> {
    const found = await liveKeyByHash(this.#deps, Buffer.from(hash, 'hex'));
    if (found === undefined) return undefined;
    const { key, isAuthentic } = found;
    if (isAuthentic) return { caller: toCaller(key), expiresAt: key.expiresAt };
    const facts = { keyId: key.id, fix: 'revoke the key, and find out who else writes to the database' };
    this.#deps.log.error(
      'an API key or its scopes in the database were not written by this service, so the key was refused',
      facts,
    );
    return undefined;
  }

  /** Tells whether a key has expired. This is checked at each use, since a key may expire while it is cached. */
  #hasExpired({ expiresAt }: CachedKey): boolean {
    return expiresAt !== null && expiresAt <= this.#deps.clock.now();
  }
}

function toCaller(key: ApiKey): KeyCaller {
  const { id: keyId, name, accountId, environmentId, scopes } = key;
  if (environmentId === null) return { kind: 'account', keyId, name, accountId, scopes };
  return { kind: 'environment', keyId, name, accountId, environmentId, scopes };
}

function checkScopes(scopes: readonly string[], prefix: 'account:' | 'environment:'): void {
  const known: readonly string[] = SCOPES;
  const wrong = scopes.filter((scope) => !known.includes(scope) || !scope.startsWith(prefix));
  if (wrong.length === 0 && scopes.length > 0) return;
  const message =
    scopes.length === 0 ? 'a key needs at least one scope' : `unknown scopes for this kind of key: ${wrong.join(', ')}`;
  throw new ServiceError('invalid_body', message, { details: [{ code: 'invalid_value', message, path: ['scopes'] }] });
}
