import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Knex } from 'knex';
import { withTransaction } from '../../db/transaction.ts';
import { ServiceError } from '../../errors.ts';
import { parseJson } from '../../kit/exact-json.ts';
import type { RepeatableCall, RepeatableServer, Repetition } from '../repeatable-call.ts';
import type { RecordResponse, Reply } from '../route.ts';
import {
  deleteExpired,
  findRequest,
  type IdempotencyDeps,
  insertRequest,
  type RequestScope,
  releaseRequest,
  writeResponse,
} from './idempotency-store.ts';

/**
 * How long a repetition waits for the response to the first request. Longer than a claim, so that within this time the request is
 * completed, or can be claimed again.
 */
const WAIT_MS = 65_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

/** A request that this call has claimed. */
interface ClaimedRequest extends RequestScope {
  readonly id: number;
}

/**
 * Handles requests that create something, once for each `Idempotency-Key`.
 *
 * The response is stored in the transaction of the work: either both are committed, and a retry gets the response, or neither,
 * and the retry does the work. That holds for a crash at any moment, for a lost response to COMMIT, and for a process that was
 * suspended until its claim expired: its transaction no longer finds the claim and is rolled back. What a handler does outside
 * the transaction, such as a verification call to a provider, may be repeated.
 */
export class Repeatable implements RepeatableServer {
  readonly #deps: IdempotencyDeps;

  constructor(deps: IdempotencyDeps) {
    this.#deps = deps;
  }

  async serve<S>(
    services: S,
    call: RepeatableCall,
    handle: (services: S, record: RecordResponse) => Promise<Reply>,
  ): Promise<Reply> {
    const { repetition } = call;
    if (repetition === undefined) return this.#work(services, { call, handle, record: async () => undefined });
    const claim = await this.#claim(call, repetition);
    if ('response' in claim) return claim.response;
    try {
      return await this.#work(services, { call, handle, record: (trx, reply) => this.#record(trx, claim, reply) });
    } catch (error) {
      await this.#release(claim);
      throw error;
    }
  }

  async #work<S>(
    services: S,
    {
      call,
      handle,
      record,
    }: {
      readonly call: RepeatableCall;
      readonly handle: (services: S, record: RecordResponse) => Promise<Reply>;
      readonly record: RecordResponse;
    },
  ): Promise<Reply> {
    if (call.writes === 'by-itself') return handle(services, record);
    return withTransaction(this.#deps.db, async (trx) => {
      const reply = await handle({ ...services, db: trx }, record);
      await record(trx, reply);
      return reply;
    });
  }

  /**
   * @throws ServiceError `idempotency_mismatch` if the key was used for another request; `storage_unavailable` if the first
   *   request takes too long
   */
  async #claim(call: RepeatableCall, repetition: Repetition): Promise<ClaimedRequest | { readonly response: Reply }> {
    const scope = scopeOf(call, repetition);
    const requestHash = sha256(call.query, call.body).toString('hex');
    const end = performance.now() + WAIT_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const id = await withTransaction(this.#deps.db, async (trx) => {
        await deleteExpired(trx, scope);
        return insertRequest({ ...this.#deps, db: trx }, scope, requestHash);
      });
      if (id !== undefined) return { ...scope, id };
      const known = await findRequest(this.#deps, scope);
      if (known !== undefined && known.requestHash !== requestHash)
        throw new ServiceError('idempotency_mismatch', 'this Idempotency-Key was used for another request; use a new one');
      if (known?.response !== undefined) return { response: parseJson(known.response) as Reply };
      if (performance.now() > end)
        throw new ServiceError('storage_unavailable', 'the first request with this Idempotency-Key is still being served');
      await pause(pauseMs);
    }
  }

  async #record(trx: Knex, claim: ClaimedRequest, { status, body }: Reply): Promise<void> {
    const response = JSON.stringify({ ...(status !== undefined && { status }), body });
    if (await writeResponse({ ...this.#deps, db: trx }, claim, response)) return;
    // The error also rolls the work back, since another call has claimed the request.
    throw new ServiceError('storage_unavailable', 'this request took too long; repeat it with the same Idempotency-Key');
  }

  /** Releases a claim. Never rejects: on failure the claim expires by itself. */
  async #release(claim: ClaimedRequest): Promise<void> {
    try {
      await releaseRequest(this.#deps.db, claim);
    } catch (error) {
      this.#deps.log.warn('an Idempotency-Key could not be released', { error });
    }
  }
}

function scopeOf({ method, path }: RepeatableCall, { caller, idempotencyKey }: Repetition): RequestScope {
  const environmentId = caller.kind === 'environment' ? caller.environmentId : null;
  return { apiKeyId: caller.keyId, environmentId, scopeHash: sha256(method, path, idempotencyKey) };
}

function sha256(...parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
