import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import type { EnvironmentsDeps } from '../environments/deps.ts';
import type { ApiKey } from './api-key-store.ts';
import { API_KEY_TOPIC, createKey } from './api-keys.ts';
import { endKey, type KeyOwner, lockKey, markKeyRevoked } from './rolled-key-store.ts';

/** Of stored names. */
const MAX_NAME = 255;

interface RolledKey {
  readonly id: number;
  readonly overlapSeconds: number;
  readonly now: Date;
  /** The name of who rolls it. */
  readonly createdBy: string;
}

/**
 * Replaces a key by a new one with its name, its scopes and its end. The secret is returned this once.
 *
 * @param overlap how long the replaced key goes on; from now, 0 ends it at once. It gets another name.
 * @throws ServiceError `not_found`
 */
export async function rollKey(
  deps: EnvironmentsDeps,
  owner: KeyOwner,
  { id, overlapSeconds, now, createdBy }: RolledKey,
): Promise<ApiKey & { readonly secret: string }> {
  return withTransaction(deps.db, async (trx) => {
    const here = { ...deps, db: trx };
    const key = await lockKey(trx, owner, id);
    if (key === undefined || (key.expires_at !== null && key.expires_at <= now)) throw noSuchKey(id);
    const end = new Date(now.getTime() + overlapSeconds * 1_000);
    if (overlapSeconds === 0) await markKeyRevoked(trx, id);
    else await endKey(here, key, { name: replacedName(key.name, id), expiresAt: earlier(key.expires_at, end) });
    await deps.notices.publish(trx, API_KEY_TOPIC, key.secret_hash.toString('hex'));
    const { name, scopes, expires_at: ownEnd } = key;
    return createKey(here, owner, { name, scopes, expiresAt: ownEnd ?? undefined, createdBy });
  });
}

/** As `revoke`, of either plane. @returns its name @throws ServiceError `not_found` */
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

/** Names are unique among the keys that were not revoked, and a key can be replaced once. */
function replacedName(name: string, id: number): string {
  const suffix = ` (replaced, ${id})`;
  return name.slice(0, MAX_NAME - suffix.length) + suffix;
}
