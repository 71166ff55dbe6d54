import type { Knex } from 'knex';
import type { StoreDeps } from '../../db/store-deps.ts';
import { type ApiKeyRow, KEY_STATEMENT_COLUMNS, keyStatement, REVOKED, type StatedKey } from './api-key-store.ts';

/** Whose a key is: an environment's, or the account's. */
export interface KeyOwner {
  readonly accountId: number;
  /** null: of the account plane. */
  readonly environmentId: number | null;
}

type LockedKey = StatedKey & Pick<ApiKeyRow, 'id' | 'name'>;

/** A key that was not revoked, locked until the transaction ends. */
export async function lockKey(trx: Knex, { accountId, environmentId }: KeyOwner, id: number): Promise<LockedKey | undefined> {
  return trx<ApiKeyRow>('api_keys')
    .where({ id, account_id: accountId, environment_id: environmentId })
    .whereNull('revoked_at')
    .forUpdate()
    .first(['id', 'name', ...KEY_STATEMENT_COLUMNS]);
}

/** Ends a key at a time, under another name: its own is given to the key that replaces it. */
export async function endKey(
  { db, keys }: StoreDeps,
  key: LockedKey,
  { name, expiresAt }: { readonly name: string; readonly expiresAt: Date },
): Promise<void> {
  const mac = keys.authenticate(keyStatement({ ...key, expires_at: expiresAt }));
  await db<ApiKeyRow>('api_keys').where({ id: key.id }).update({ name, expires_at: expiresAt, mac });
}

export async function markKeyRevoked(db: Knex, id: number): Promise<void> {
  await db<ApiKeyRow>('api_keys')
    .where({ id })
    .update({ ...REVOKED, revoked_at: db.fn.now() });
}
