import type { Knex } from 'knex';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { Statement } from '../../kit/key-ring.ts';

export interface ApiKeyRow {
  readonly id: number;
  readonly account_id: number;
  /** Null for an account key. */
  readonly environment_id: number | null;
  readonly name: string;
  readonly secret_hash: Buffer;
  readonly scopes: string[];
  readonly created_at: Date;
  readonly revoked_at: Date | null;
  /** The expiry, compared with the clock of the instance; null when the key does not expire. */
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  /** The last four characters of the secret. */
  readonly last4: string;
  /** The name of the creator at the time of creation; null when it is not known. */
  readonly created_by: string | null;
  /** HMAC that proves that this service wrote the key's owner, scopes and expiry. */
  readonly mac: Buffer;
}

/** An API key as it may be shown: the secret itself is not stored. */
export interface ApiKey {
  readonly id: number;
  readonly accountId: number;
  /** Null for an account key. */
  readonly environmentId: number | null;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  /** From this time on, the key is refused like a revoked one; null when it does not expire. */
  readonly expiresAt: Date | null;
  /** Written some seconds late; null when the key was never used. */
  readonly lastUsedAt: Date | null;
  /** The last four characters of the secret. */
  readonly last4: string;
  /** The name of the creator at the time of creation; null when it is not known. */
  readonly createdBy: string | null;
}

const COLUMNS = [
  'id',
  'account_id',
  'environment_id',
  'name',
  'scopes',
  'created_at',
  'expires_at',
  'last_used_at',
  'last4',
  'created_by',
] as const;

/**
 * SQL condition that the environment of a key, if it has one, is not deleted: a key that is created while its environment is
 * being deleted must not work.
 */
const OF_LIVE_OWNER = `(environment_id is null
  or exists (select from environments where environments.id = environment_id and environments.deleted_at is null))`;

type PublicRow = Pick<ApiKeyRow, (typeof COLUMNS)[number]>;

/** The columns of a revoked key: the HMAC becomes an invalid one, so that nobody can undo the revocation in the database. */
export const REVOKED = { mac: Buffer.alloc(1) } as const;

interface FoundKey {
  readonly key: ApiKey;
  /** True if this service wrote the key with these scopes and this expiry. */
  readonly isAuthentic: boolean;
}

/** Finds a key that is not revoked, by the hash of its secret. The caller checks the expiry by its own clock. */
export async function liveKeyByHash({ db, keys }: StoreDeps, secretHash: Buffer): Promise<FoundKey | undefined> {
  const row: (PublicRow & Pick<ApiKeyRow, 'secret_hash' | 'mac'>) | undefined = await db<ApiKeyRow>('api_keys')
    .where({ secret_hash: secretHash })
    .whereNull('revoked_at')
    .whereRaw(OF_LIVE_OWNER)
    .first([...COLUMNS, 'secret_hash', 'mac']);
  return row && { key: fromRow(row), isAuthentic: keys.isAuthentic(row.mac, keyStatement(row)) };
}

/** Returns the keys that are not revoked. Expired ones are among them, since they still occupy their names. */
export async function liveKeysOf(db: Knex, owner: { accountId: number; environmentId: number | null }): Promise<ApiKey[]> {
  const rows: PublicRow[] = await db<ApiKeyRow>('api_keys')
    .where({ account_id: owner.accountId, environment_id: owner.environmentId })
    .whereNull('revoked_at')
    .orderBy('id')
    .select(COLUMNS);
  return rows.map(fromRow);
}

interface NewApiKey {
  readonly accountId: number;
  readonly environmentId: number | null;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly secretHash: Buffer;
  readonly expiresAt: Date | null;
  readonly last4: string;
  readonly createdBy: string | null;
}

/** Inserts a key; returns undefined when the owner has a key of this name that is not revoked. */
export async function insertKey({ db, keys }: StoreDeps, key: NewApiKey): Promise<ApiKey | undefined> {
  const stated = {
    account_id: key.accountId,
    environment_id: key.environmentId,
    scopes: [...key.scopes],
    secret_hash: key.secretHash,
    expires_at: key.expiresAt,
  };
  const [row] = await db<ApiKeyRow>('api_keys')
    .insert({
      ...stated,
      name: key.name,
      last4: key.last4,
      created_by: key.createdBy,
      mac: keys.authenticate(keyStatement(stated)),
    })
    .onConflict()
    .ignore()
    .returning(COLUMNS);
  return row && fromRow(row);
}

/**
 * @returns the key's name, and its hash, by which instances evict it from their caches; undefined if the key does not exist or
 *   was already revoked
 */
export async function revokeKey(
  db: Knex,
  key: { id: number; environmentId: number },
): Promise<{ readonly name: string; readonly hash: Buffer } | undefined> {
  const [row] = await db<ApiKeyRow>('api_keys')
    .where({ id: key.id, environment_id: key.environmentId })
    .whereNull('revoked_at')
    .update({ ...REVOKED, revoked_at: db.fn.now() })
    .returning(['name', 'secret_hash']);
  return row && { name: row.name, hash: row.secret_hash };
}

/** Records that these keys were used at this time, unless a later use is recorded already. */
export async function touchKeys(db: Knex, ids: readonly number[], at: Date): Promise<void> {
  await db<ApiKeyRow>('api_keys')
    .whereRaw('id = any(?)', [[...ids]]) // one binding for any number of IDs
    .whereRaw('(last_used_at is null or last_used_at < ?)', [at])
    .update({ last_used_at: at });
}

export const KEY_STATEMENT_COLUMNS = ['account_id', 'environment_id', 'secret_hash', 'scopes', 'expires_at'] as const;
export type StatedKey = Pick<ApiKeyRow, (typeof KEY_STATEMENT_COLUMNS)[number]>;

/**
 * Returns the values that the HMAC of a key authenticates. Revocation is not among them, since revoking a key destroys its HMAC
 * for good.
 */
export function keyStatement(row: StatedKey): Statement {
  const { account_id: account, environment_id: environment, secret_hash: hash, scopes, expires_at: end } = row;
  return ['api_keys', account, environment, hash.toString('hex'), scopes, end?.getTime() ?? null];
}

function fromRow(row: PublicRow): ApiKey {
  return {
    id: row.id,
    accountId: row.account_id,
    environmentId: row.environment_id,
    name: row.name,
    scopes: row.scopes,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    last4: row.last4,
    createdBy: row.created_by,
  };
}
