import { describeDatabaseFault } from '../db/database-fault.ts';
import { nextIds } from '../db/next-id.ts';
import { withTransaction } from '../db/transaction.ts';
import { ServiceError } from '../errors.ts';
import { daysBefore } from '../kit/clock.ts';
import { killPoint } from '../kit/kill-point.ts';
import { currentTrace } from '../kit/tracing.ts';
import { contentPlace } from './delivery-content.ts';
import { insertNewDeliveries } from './delivery-store.ts';
import type { WebhookIngressDeps } from './deps.ts';

const DAY_MS = 24 * 3_600_000;
const BATCH_ROWS = 500;
const BATCH_CHARACTERS = 1024 * 1024;
/** Maximum size of all deliveries that wait for the database. */
const MAX_WAITING_CHARACTERS = 64 * 1024 * 1024;
/** IDs are reserved in blocks; the rest of a block is never used. */
const ID_STOCK = 1_000;

/** A delivery to store. */
export interface NewDelivery {
  readonly environmentId: number;
  readonly integrationId: number;
  readonly verified: boolean;
  /** The content before encryption. */
  readonly content: string;
  /** Equal for duplicates. */
  readonly key: Buffer;
  /** After this time an equal delivery counts as new; a day at most. */
  readonly repeatsWithinMs: number;
}

interface Waiting {
  readonly delivery: NewDelivery;
  readonly traceContext: string | null;
  readonly promise: Promise<boolean>;
  readonly resolve: (isNew: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores deliveries. Those that arrive during a transaction share the next one, as far as they fit into one batch, so that each
 * costs less under load.
 */
export class DeliveryWriter {
  readonly #deps: WebhookIngressDeps;
  /** Waiting deliveries by integration and key, so that a batch contains no duplicates. */
  readonly #waiting = new Map<string, Waiting>();
  #waitingCharacters = 0;
  #isWriting = false;
  #ids: number[] = [];

  constructor(deps: WebhookIngressDeps) {
    this.#deps = deps;
  }

  /**
   * Stores a delivery; resolves when that is committed.
   *
   * @returns false for a duplicate within `repeatsWithinMs`
   * @throws ServiceError `storage_unavailable` if too many deliveries wait for the database; errors of the database
   */
  async write(delivery: NewDelivery): Promise<boolean> {
    const name = `${delivery.integrationId} ${delivery.key.toString('latin1')}`;
    const same = this.#waiting.get(name);
    if (same !== undefined) {
      await same.promise;
      return false;
    }
    if (this.#waitingCharacters + delivery.content.length > MAX_WAITING_CHARACTERS)
      throw new ServiceError('storage_unavailable', 'the database is too slow to store more deliveries');
    const waiting = { delivery, traceContext: currentTrace() ?? null, ...Promise.withResolvers<boolean>() };
    this.#waiting.set(name, waiting);
    this.#waitingCharacters += delivery.content.length;
    void this.#writeAll();
    return waiting.promise;
  }

  async #writeAll(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    // Deliveries that arrive in the same turn of the event loop share a transaction.
    await new Promise(setImmediate);
    for (let batch = this.#nextBatch(); batch.length > 0; batch = this.#nextBatch()) await this.#writeBatch(batch);
    this.#isWriting = false;
  }

  #nextBatch(): Waiting[] {
    const batch: Waiting[] = [];
    let characters = 0;
    for (const [name, waiting] of this.#waiting) {
      const { length } = waiting.delivery.content;
      if (batch.length === BATCH_ROWS || (batch.length > 0 && characters + length > BATCH_CHARACTERS)) break;
      characters += length;
      batch.push(waiting);
      this.#waiting.delete(name);
    }
    this.#waitingCharacters -= characters;
    return batch;
  }

  /** Stores a batch; never rejects. One invalid row, such as one of a deleted integration, must not affect the others. */
  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const isNew = await this.#store(batch);
      for (const [at, waiting] of batch.entries()) waiting.resolve(isNew[at] === true);
    } catch (error) {
      const isCommon = batch.length === 1 || describeDatabaseFault(error) !== undefined;
      if (isCommon) for (const waiting of batch) waiting.reject(error);
      else for (const waiting of batch) await this.#writeBatch([waiting]);
    }
  }

  /** @returns for each delivery whether it is new */
  async #store(batch: readonly Waiting[]): Promise<boolean[]> {
    const { db, keys, clock, signals } = this.#deps;
    const ids = await this.#takeIds(batch.length);
    const at = clock.now();
    const rows = batch.map(({ delivery, traceContext: trace_context }, index) => {
      const { environmentId, integrationId, verified, content, key, repeatsWithinMs } = delivery;
      const id = ids[index] ?? 0;
      // An equal delivery counts as new one day after `seen_at`; for a shorter period, `seen_at` is shifted into the past.
      const seen_at = new Date(at.getTime() - DAY_MS + repeatsWithinMs);
      const sealed = keys.encrypt(content, contentPlace(environmentId, id));
      const of = { environment_id: environmentId, integration_id: integrationId };
      return { id, ...of, verified, content: sealed, key, seen_at, trace_context };
    });
    const since = daysBefore(at, 1);
    const stored = await withTransaction(db, async (trx) => {
      const inserted = await insertNewDeliveries(trx, rows, { at, since });
      if (inserted.size > 0) signals.send(trx, 'webhook-deliveries');
      return inserted;
    });
    killPoint('webhook-after-store');
    return rows.map(({ id }) => stored.has(id));
  }

  async #takeIds(count: number): Promise<readonly number[]> {
    if (this.#ids.length < count) this.#ids = [...(await nextIds(this.#deps.db, 'webhook_deliveries', ID_STOCK))];
    return this.#ids.splice(0, count);
  }
}
