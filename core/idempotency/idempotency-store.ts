import type { Knex } from 'knex';
import { nextId } from '../db/next-id.ts';
import type { IdempotencyKeyRow } from '../db/rows.ts';
import type { KeyRing, Place } from '../kit/key-ring.ts';

const CLAIM_SECONDS = 60;
const KEPT_HOURS = 24;

export interface IdempotencyDeps {
  readonly db: Knex;
  readonly keys: KeyRing;
}

/** Which request is meant: one of an API key, to a path, with a value of the header. */
export interface RequestScope {
  readonly apiKeyId: number;
  /** Null on the account plane. */
  readonly environmentId: number | null;
  readonly scopeHash: Buffer;
}

export interface KnownRequest {
  readonly id: number;
  /** As `NewRequest`. */
  readonly requestHash: string;
  /** JSON; undefined: it is being worked on. */
  readonly answer: string | undefined;
}

/** @param requestHash of what is asked for; encrypted, since a hash of few possible secrets gives them away */
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
      request: keys.encrypt(requestHash, place('request', { ...scope, id })),
      claimed_until: db.raw(`clock_timestamp() + ? * interval '1 second'`, [CLAIM_SECONDS]),
      expires_at: db.raw(`clock_timestamp() + ? * interval '1 hour'`, [KEPT_HOURS]),
    })
    .onConflict(['api_key_id', 'scope_hash'])
    .ignore()
    .returning('id');
  return rows[0]?.id;
}

/** Removes what is over: a request whose owner is gone without an answer, and one of more than a day ago. */
export async function deleteOver(db: Knex, scope: RequestScope): Promise<void> {
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
    requestHash: keys.decrypt(row.request, place('request', at)),
    answer: row.answer === null ? undefined : keys.decrypt(row.answer, place('answer', at)),
  };
}

/** @returns false when the claim ran out and somebody else has taken the request up */
export async function writeAnswer(
  { db, keys }: IdempotencyDeps,
  request: RequestScope & { readonly id: number },
  answer: string,
): Promise<boolean> {
  const count = await ofScope(db, request)
    .where({ id: request.id })
    .whereNull('answer')
    .update({ answer: keys.encrypt(answer, place('answer', request)) });
  return count === 1;
}

/** Lets others take up a request that failed. Waits for a transaction that may be completing it, and leaves it then. */
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

/** The account plane has no environment; no row of one has this place. */
function place(column: 'request' | 'answer', { environmentId, id }: Pick<RequestScope, 'environmentId'> & { id: number }): Place {
  return { table: 'idempotency_keys', column, environmentId: environmentId ?? 0, rowId: id };
}
