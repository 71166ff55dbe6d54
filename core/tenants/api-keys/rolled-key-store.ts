import type { Knex } from 'knex';
import type { StoreDeps } from '../../db/store-deps.ts';
import { type ApiKeyRow, KEY_STATEMENT_COLUMNS, keyStatement, REVOKED, type StatedKey } from './api-key-store.ts';

/** The owner of a key: an environment, or the account. */
export interface KeyOwner {
  readonly accountId: number;
  /** Null for an account key. */
  readonly environmentId: number | null;
}

type LockedKey = StatedKey & Pick<ApiKeyRow, 'id' | 'name'>;

/** Finds a key that is not revoked, and locks it until the transaction ends. */
export async function lockKey(trx: Knex, { accountId, environmentId }: KeyOwner, id: number): Promise<LockedKey | undefined> {
  return trx<ApiKeyRow>('api_keys')
    .where({ id, account_id: accountId, environment_id: environmentId })
    .whereNull('revoked_at')
    .forUpdate()
    .first(['id', 'name', ...KEY_STATEMENT_COLUMNS]);
}

/** Makes a key expire at the given time, and renames it: its name passes to the key that replaces it. */
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
