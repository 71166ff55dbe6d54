import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import type { EnvironmentsDeps } from '../environments/deps.ts';
import type { ApiKey } from './api-key-store.ts';
import { API_KEY_TOPIC, createKey } from './api-keys.ts';
import { endKey, type KeyOwner, lockKey, markKeyRevoked } from './rolled-key-store.ts';

/** Maximum length of a stored key name, in characters. */
const MAX_NAME = 255;

interface RolledKey {
  readonly id: number;
  readonly overlapSeconds: number;
  readonly now: Date;
  /** The name of the caller who rolls the key. */
  readonly createdBy: string;
}

/**
 * Replaces a key with a new one with the same name, scopes and expiry. The new secret is returned only this once.
 *
 * @param overlapSeconds how long the replaced key keeps working, under another name; 0 ends it immediately
 * @throws ServiceError `not_found`; `conflict` for a key that has expired
 */
export async function rollKey(
  deps: EnvironmentsDeps,
  owner: KeyOwner,
  { id, overlapSeconds, now, createdBy }: RolledKey,
): Promise<ApiKey & { readonly secret: string }> {
  return withTransaction(deps.db, async (trx) => {
    const here = { ...deps, db: trx };
    const key = await lockKey(trx, owner, id);
    if (key === undefined) throw noSuchKey(id);
    if (key.expires_at !== null && key.expires_at <= now)
      throw new ServiceError('conflict', `API key ${id} has expired: create a new one`);
    const end = new Date(now.getTime() + overlapSeconds * 1_000);
    if (overlapSeconds === 0) await markKeyRevoked(trx, id);
    else await endKey(here, key, { name: replacedName(key.name, id), expiresAt: earlier(key.expires_at, end) });
    await deps.notices.publish(trx, API_KEY_TOPIC, key.secret_hash.toString('hex'));
    const { name, scopes, expires_at: ownEnd } = key;
    return createKey(here, owner, { name, scopes, expiresAt: ownEnd ?? undefined, createdBy });
  });
}

/**
 * Revokes an environment key or an account key, as `revoke` does for an environment.
 *
 * @returns its name
 * @throws ServiceError `not_found`
 */
export async function revokeKeyOf(deps: EnvironmentsDeps, owner: KeyOwner, id: number): Promise<string> {
  return withTransaction(deps.db, async (trx) => {
    const key = await lockKey(trx, owner, id);
    if (key === undefined) throw noSuchKey(id);
    await markKeyRevoked(trx, id);
    await deps.notices.publish(trx, API_KEY_TOPIC, key.secret_hash.toString('hex'));
    return key.name;
  });
}

function noSuchKey(id: number): ServiceError {
  return new ServiceError('not_found', `there is no API key ${id}`);
}

function earlier(one: Date | null, other: Date): Date {
  return one !== null && one < other ? one : other;
}

/**
 * Returns the new name of a replaced key. The name contains the key's ID, because names of keys that are not revoked must be
 * unique; one ID is enough, since a key can be replaced only once.
 */
function replacedName(name: string, id: number): string {
  const suffix = ` (replaced, ${id})`;
  return name.slice(0, MAX_NAME - suffix.length) + suffix;
}
