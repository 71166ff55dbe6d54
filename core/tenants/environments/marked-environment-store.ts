import type { Knex } from 'knex';
import { type ApiKeyRow, REVOKED } from '../api-keys/api-key-store.ts';
import type { EnvironmentRow } from './environment-row.ts';

/**
 * Marks an environment as deleted: from then on it does not exist for anybody. Its public key is released immediately, so that
 * another environment may use it.
 *
 * @returns its name; undefined when the account has no such environment
 */
export async function markEnvironmentDeleted(
  db: Knex,
  environment: { accountId: number; id: number },
): Promise<string | undefined> {
  const [row] = await db<EnvironmentRow>('environments')
    .where({ id: environment.id, account_id: environment.accountId })
    .whereNull('deleted_at')
    .update({ deleted_at: db.fn.now(), public_key: null })
    .returning('name');
  return row?.name;
}

export async function isMarkedDeleted(db: Knex, id: number): Promise<boolean> {
  const row = await db<EnvironmentRow>('environments').where({ id }).whereNotNull('deleted_at').first('id');
  return row !== undefined;
}

/** @returns the hashes of the revoked keys, by which instances evict them from their caches */
export async function revokeKeysOf(db: Knex, environmentId: number): Promise<Buffer[]> {
  const rows = await db<ApiKeyRow>('api_keys')
    .where({ environment_id: environmentId })
    .whereNull('revoked_at')
    .update({ ...REVOKED, revoked_at: db.fn.now() })
    .returning('secret_hash');
  return rows.map((row) => row.secret_hash);
}

/** Erases an environment that is marked as deleted, with everything that still belongs to it. */
export async function eraseEnvironment(db: Knex, id: number): Promise<void> {
  await db<EnvironmentRow>('environments').where({ id }).whereNotNull('deleted_at').delete();
}

/** Returns environments that were marked as deleted before the given time, the oldest deletion first. */
export async function environmentsDeletedBefore(db: Knex, before: Date, limit: number): Promise<number[]> {
  const rows = await db<EnvironmentRow>('environments')
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(limit)
    .select('id');
  return rows.map((row) => row.id);
}
