import type { Knex } from 'knex';
import type { StoreDeps } from '../../db/store-deps.ts';
import type { Statement } from '../../kit/key-ring.ts';

export interface ApiKeyRow {
  readonly id: number;
  readonly account_id: number;
  /** Null for a key of the account plane. */
  readonly environment_id: number | null;
  readonly name: string;
  readonly secret_hash: Buffer;
  readonly scopes: string[];
  readonly created_at: Date;
  readonly revoked_at: Date | null;
  /** Compared with the clock of the instance; null: it does not end by itself. */
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  /** How its secret ends. */
  readonly last4: string;
  /** The name of who made it, then. */
  readonly created_by: string | null;
  /** Proof of what it opens and for whom. */
  readonly mac: Buffer;
}

/** An API key as it may be shown: the secret itself is not stored. */
export interface ApiKey {
  readonly id: number;
  readonly accountId: number;
  /** null: a key of the account plane. */
  readonly environmentId: number | null;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  /** From then on it is as unknown as one that was revoked; null: it does not end by itself. */
  readonly expiresAt: Date | null;
  /** Some seconds late; null: never. */
  readonly lastUsedAt: Date | null;
  /** How its secret ends. */
  readonly last4: string;
  /** The name of who made it, then; null: not known. */
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

/** A key that is made while its environment is being deleted opens nothing. */
const OF_LIVE_OWNER = `(environment_id is null
  or exists (select from environments where environments.id = environment_id and environments.deleted_at is null))`;

type PublicRow = Pick<ApiKeyRow, (typeof COLUMNS)[number]>;

/** No proof of anything, so that nobody can take the revocation back. */
export const REVOKED = { mac: Buffer.alloc(1) } as const;

export interface FoundKey {
  readonly key: ApiKey;
  /** Whether this service wrote it, with these scopes and this end. */
  readonly isAuthentic: boolean;
}

/** A key that was not revoked; whether it has expired is decided by the caller's clock. */
export async function liveKeyByHash({ db, keys }: StoreDeps, secretHash: Buffer): Promise<FoundKey | undefined> {
  const row: (PublicRow & Pick<ApiKeyRow, 'secret_hash' | 'mac'>) | undefined = await db<ApiKeyRow>('api_keys')
    .where({ secret_hash: secretHash })
    .whereNull('revoked_at')
    .whereRaw(OF_LIVE_OWNER)
    .first([...COLUMNS, 'secret_hash', 'mac']);
  return row && { key: fromRow(row), isAuthentic: keys.isAuthentic(row.mac, keyStatement(row)) };
}

/** Keys that were not revoked, expired ones among them: they still have their names. */
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

/** Undefined when a live key of that owner has the name already. */
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

/** @returns its name, and its hash, by which instances evict it; undefined if there is no such valid key */
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

/** Writes down that these keys were used at this time, or later already. */
export async function touchKeys(db: Knex, ids: readonly number[], at: Date): Promise<void> {
  await db<ApiKeyRow>('api_keys')
    .whereRaw('id = any(?)', [[...ids]]) // one binding, however many
    .whereRaw('(last_used_at is null or last_used_at < ?)', [at])
    .update({ last_used_at: at });
}

export const KEY_STATEMENT_COLUMNS = ['account_id', 'environment_id', 'secret_hash', 'scopes', 'expires_at'] as const;
export type StatedKey = Pick<ApiKeyRow, (typeof KEY_STATEMENT_COLUMNS)[number]>;

/** It is of a key that was not revoked: one that was has lost its proof for good. */
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
