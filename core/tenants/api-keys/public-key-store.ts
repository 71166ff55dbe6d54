import type { Knex } from 'knex';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { Place } from '../../kit/key-ring.ts';
import type { EnvironmentRow } from '../environments/environment-row.ts';
import type { PublicKeyCaller } from './caller.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isPublicKey(text: string): boolean {
  return UUID.test(text);
}

/**
 * Returns the caller that a public key stands for; undefined if no environment has the key.
 *
 * @param deps.ownOrigin the origin of this service, whose own pages may always use the key
 */
export async function publicKeyCaller(
  { db, ownOrigin }: { readonly db: Knex; readonly ownOrigin: string },
  publicKey: string,
): Promise<PublicKeyCaller | undefined> {
  if (!isPublicKey(publicKey)) return undefined;
  const row = await db<EnvironmentRow>('environments')
    .where({ public_key: publicKey })
    .whereNull('deleted_at')
    .first('id', 'allowed_origins');
  if (row === undefined) return undefined;
  const { id: environmentId, allowed_origins: origins } = row;
  return { kind: 'public_key', environmentId, allowedOrigins: origins?.length ? [...origins, ownOrigin] : [] };
}

/** Returns the key with which requests that use the public key must be signed; undefined when they need no signature. */
export async function hmacKeyOf({ db, keys }: StoreDeps, environmentId: number): Promise<string | undefined> {
  const row = await db<EnvironmentRow>('environments').where({ id: environmentId }).first('hmac_key');
  return row?.hmac_key ? keys.decrypt(row.hmac_key, hmacKeyPlace(environmentId)) : undefined;
}

/** Sets the key with which requests that use the public key must be signed. @param hmacKey null removes it */
export async function setHmacKey({ db, keys }: StoreDeps, environmentId: number, hmacKey: string | null): Promise<void> {
  const envelope = hmacKey === null ? null : keys.encrypt(hmacKey, hmacKeyPlace(environmentId));
  await db<EnvironmentRow>('environments').where({ id: environmentId }).update({ hmac_key: envelope });
}

/**
 * Sets the public key of an environment.
 *
 * @param publicKey null removes it
 * @returns false when another environment has this key
 */
export async function setPublicKey(db: Knex, environmentId: number, publicKey: string | null): Promise<boolean> {
  const taken = db('environments').where({ public_key: publicKey }).whereNull('deleted_at').whereNot({ id: environmentId });
  const changed = await db<EnvironmentRow>('environments')
    .where({ id: environmentId })
    .modify((query) => publicKey !== null && query.whereNotExists(taken))
    .update({ public_key: publicKey });
  return changed === 1;
}

export function hmacKeyPlace(environmentId: number): Place {
  return { table: 'environments', column: 'hmac_key', environmentId, rowId: environmentId };
}
