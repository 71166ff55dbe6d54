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
 * The environment of a public key; undefined if there is none.
 *
 * @param deps.ownOrigin of this service, whose own pages may always use it
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

/** What requests with the public key must be signed with; undefined: they need no signature. */
export async function hmacKeyOf({ db, keys }: StoreDeps, environmentId: number): Promise<string | undefined> {
  const row = await db<EnvironmentRow>('environments').where({ id: environmentId }).first('hmac_key');
  return row?.hmac_key ? keys.decrypt(row.hmac_key, hmacKeyPlace(environmentId)) : undefined;
}

/** @param hmacKey null takes it away */
export async function setHmacKey({ db, keys }: StoreDeps, environmentId: number, hmacKey: string | null): Promise<void> {
  const envelope = hmacKey === null ? null : keys.encrypt(hmacKey, hmacKeyPlace(environmentId));
  await db<EnvironmentRow>('environments').where({ id: environmentId }).update({ hmac_key: envelope });
}

/**
 * @param publicKey null takes it away
 * @returns false when another environment has it
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
