import type { Knex } from 'knex';
import { nextId } from '../../db/next-id.ts';
import type { KeyRing, Place } from '../../kit/key-ring.ts';
import type { Logger } from '../../kit/logger.ts';

export interface IdempotencyKeyRow {
  readonly id: number;
  /** Null for account keys. */
  readonly environment_id: number | null;
  readonly api_key_id: number;
  readonly scope_hash: Buffer;
  readonly request: Buffer;
  readonly answer: Buffer | null;
  readonly claimed_until: Date;
  readonly expires_at: Date;
}

const CLAIM_SECONDS = 60;
const KEPT_HOURS = 24;

export interface IdempotencyDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
  readonly log: Logger;
}

/** Identifies a request: the API key, the method and path, and the value of `Idempotency-Key`. */
export interface RequestScope {
  readonly apiKeyId: number;
  /** Null for account keys. */
  readonly environmentId: number | null;
  readonly scopeHash: Buffer;
}

interface KnownRequest {
  readonly id: number;
  readonly requestHash: string;
  /** JSON; undefined while the request is in progress. */
  readonly response: string | undefined;
}

/**
 * Claims a request by inserting its row, which only the first of several callers can do.
 *
 * @param requestHash hash of query and body; encrypted, since a hash of low-entropy secrets would reveal them
 * @returns the ID of the claim; undefined when the request is already claimed or completed
 */
export async function insertRequest(
  { db, keys }: IdempotencyDeps,
  scope: RequestScope,
  requestHash: string,
): Promise<number | undefined> {
  const id = await nextId(db, 'idempotency_keys');
  const rows = await db<IdempotencyKeyRow>('idempotency_keys')
    .insert({
      id,
      environment_id: scope.environmentId,
      api_key_id: scope.apiKeyId,
      scope_hash: scope.scopeHash,
      request: keys.encrypt(requestHash, requestPlace('request', { ...scope, id })),
      claimed_until: db.raw(`clock_timestamp() + ? * interval '1 second'`, [CLAIM_SECONDS]),
      expires_at: db.raw(`clock_timestamp() + ? * interval '1 hour'`, [KEPT_HOURS]),
    })
    .onConflict(['api_key_id', 'scope_hash'])
    .ignore()
    .returning('id');
  return rows[0]?.id;
}

/** Removes an expired request, or one whose claim has expired without a response. */
export async function deleteExpired(db: Knex, scope: RequestScope): Promise<void> {
  await ofScope(db, scope)
    .whereRaw('(expires_at < clock_timestamp() or (answer is null and claimed_until < clock_timestamp()))')
    .delete();
}

export async function findRequest({ db, keys }: IdempotencyDeps, scope: RequestScope): Promise<KnownRequest | undefined> {
  const row = await ofScope(db, scope).first('id', 'request', 'answer');
  if (row === undefined) return undefined;
  const at = { ...scope, id: row.id };
  return {
    id: row.id,
    requestHash: keys.decrypt(row.request, requestPlace('request', at)),
    response: row.answer === null ? undefined : keys.decrypt(row.answer, requestPlace('answer', at)),
  };
}

/** @returns false if the claim has expired and another call has claimed the request */
export async function writeResponse(
  { db, keys }: IdempotencyDeps,
  request: RequestScope & { readonly id: number },
  response: string,
): Promise<boolean> {
  const count = await ofScope(db, request)
    .where({ id: request.id })
    .whereNull('answer')
    .update({ answer: keys.encrypt(response, requestPlace('answer', request)) });
  return count === 1;
}

/**
 * Releases the claim of a failed request, so that another call can claim it. If a transaction is completing the request, waits
 * for it and then keeps the request.
 */
export async function releaseRequest(db: Knex, request: RequestScope & { readonly id: number }): Promise<void> {
  await ofScope(db, request).where({ id: request.id }).whereNull('answer').delete();
}

function ofScope(db: Knex, { apiKeyId, environmentId, scopeHash }: RequestScope) {
  return db<IdempotencyKeyRow>('idempotency_keys').where({
    api_key_id: apiKeyId,
    environment_id: environmentId,
    scope_hash: scopeHash,
  });
}

/**
 * Binds an encrypted value to its row, so that it cannot be moved to another; the environment ID is 0 for account keys, which
 * have no environment.
 */
export function requestPlace(
  column: 'request' | 'answer',
  { environmentId, id }: Pick<RequestScope, 'environmentId'> & { id: number },
): Place {
  return { table: 'idempotency_keys', column, environmentId: environmentId ?? 0, rowId: id };
}
