import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import type { Queue } from '../db/queue.ts';
import { withTransaction } from '../db/transaction.ts';
import { backoffMs } from '../kit/backoff.ts';
import { type AttemptDeps, attempt, type Outcome, type Sending } from './attempt.ts';
import { keepWithinLimits, type LimitDeps } from './limits.ts';
import { type Concluded, settle } from './settle.ts';
import { PARALLEL_PER_TARGET, type TakeDeps, takeDue } from './take.ts';
import { lockTarget } from './target-store.ts';
import { DELIVER_QUEUE, type Wake } from './wake.ts';

/** Attempts at once in this process: of messages of 2 MiB they hold half a gigabyte. */
const PARALLEL = 256;
/** Transactions at once: requests need the pool's connections too. */
const TRANSACTIONS = 4;
const BATCH = 200;
const DRAIN_MS = 15_000;
/** How often and how soon an outcome is written again when the database is away; then it is lost and the message sent again. */
const SETTLE_TRIES = 5;
const SETTLE_BACKOFF = { firstMs: 500, maxMs: 5_000 };

export interface DelivererDeps extends AttemptDeps, TakeDeps, LimitDeps {
  readonly db: Knex;
  readonly queue: Pick<Queue, 'send' | 'workBatch'>;
  /** Told of every attempt. */
  readonly onAttempt?: ((outcome: Outcome) => void) | undefined;
}

/** What this process has to do with a target: one pass at a time, a transaction each, which settles and takes. */
interface TargetWork {
  readonly targetId: number;
  /** Attempts that ended since the last pass. */
  ended: EndedAttempt[];
  /** Somebody wants it looked at, not only an attempt ended. */
  isAsked: boolean;
  current?: Promise<void> | undefined;
  next?: Promise<void> | undefined;
}

interface EndedAttempt extends Concluded {
  /** Of writing it down. */
  readonly failures: number;
}

interface Pass {
  readonly targetId: number;
  readonly ended: readonly EndedAttempt[];
  /** Messages to take at most. */
  readonly limit: number;
  readonly isAsked: boolean;
}

/** Sends messages to where they belong. A process that only writes them down never calls `start`. */
export class Deliverer implements AsyncDisposable {
  readonly #deps: DelivererDeps;
  readonly #transactions = pLimit(TRANSACTIONS);
  readonly #targets = new Map<number, TargetWork>();
  /** Attempts from their beginning until they are written down. */
  readonly #lanes = new Set<Promise<void>>();
  readonly #given = new AbortController();
  /** Targets that found no place, in the order they came. */
  readonly #waiting = new Set<number>();
  #free = PARALLEL;
  #stopping: Promise<void> | undefined;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.#deps.queue.workBatch<Wake>(DELIVER_QUEUE, (wakes) => this.#onWakes(wakes), { size: BATCH });
  }

  /** Takes nothing more and waits up to 15 s for what is under way; what remains is taken again when its time is over. */
  stop(): Promise<void> {
    this.#stopping ??= this.#drain();
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Begins to send what is due at a target; resolves when that is under way. */
  async serve(targetId: number): Promise<void> {
    if (this.#stopping !== undefined) return await this.#wakeOther(targetId);
    if (this.#free === 0) {
      this.#waiting.add(targetId);
      return;
    }
    this.#workOf(targetId).isAsked = true;
    await this.#pass(targetId);
  }

  async #onWakes(wakes: readonly Wake[]): Promise<void> {
    const full = new Set(wakes.flatMap(({ targetId, checkLimits }) => (checkLimits ? [targetId] : [])));
    for (const targetId of full) await keepWithinLimits(this.#deps, targetId);
    await Promise.all([...new Set(wakes.map(({ targetId }) => targetId))].map((targetId) => this.serve(targetId)));
  }

  #workOf(targetId: number): TargetWork {
    const known = this.#targets.get(targetId);
    if (known !== undefined) return known;
    const work: TargetWork = { targetId, ended: [], isAsked: false };
    this.#targets.set(targetId, work);
    return work;
  }

  /** All who ask while a pass runs share the next one. */
  #pass(targetId: number): Promise<void> {
    const work = this.#workOf(targetId);
    work.next ??= this.#runNext(work);
    return work.next;
  }

  async #runNext(work: TargetWork): Promise<void> {
    await work.current?.catch(() => undefined);
    work.current = work.next;
    work.next = undefined;
    try {
      await this.#run(work);
    } finally {
      if (work.next === undefined) this.#targets.delete(work.targetId);
    }
  }

  async #run(work: TargetWork): Promise<void> {
    const { targetId, isAsked } = work;
    const ended = work.ended.splice(0);
    work.isAsked = false;
    // Who only goes on makes room for those who wait.
    const takes = this.#stopping === undefined && (isAsked || this.#waiting.size === 0);
    const further = takes ? Math.min(this.#free, PARALLEL_PER_TARGET) : 0;
    this.#free -= further;
    let left = further + ended.length;
    const limit = takes ? left : 0;
    if (limit === 0 && this.#stopping === undefined) this.#waiting.add(targetId);
    try {
      for (const sending of await this.#transaction((trx) => this.#settleAndTake(trx, { targetId, ended, limit, isAsked }))) {
        left -= 1;
        this.#follow(this.#send(sending));
      }
    } catch (error) {
      left -= this.#settleAgain(ended, error);
      throw error;
    } finally {
      this.#release(left);
    }
  }

  async #settleAndTake(trx: Knex.Transaction, { targetId, ended, limit, isAsked }: Pass): Promise<readonly Sending[]> {
    const target = await lockTarget(trx, targetId);
    if (target === undefined) return [];
    const now = await settle(this.#deps, trx, { target, concluded: ended });
    if (limit > 0) return await takeDue(this.#deps, trx, { target: now, limit, goesOn: !isAsked });
    if (this.#stopping !== undefined) await this.#deps.queue.send(DELIVER_QUEUE, { targetId }, { trx });
    return [];
  }

  /** Never rejects. */
  async #send(sending: Sending): Promise<void> {
    const outcome = await attempt(this.#deps, sending, this.#given.signal);
    if (this.#given.signal.aborted) return;
    this.#deps.onAttempt?.(outcome);
    await this.#end({ sending, outcome, failures: 0 });
  }

  async #end(ended: EndedAttempt): Promise<void> {
    const { targetId } = ended.sending;
    this.#workOf(targetId).ended.push(ended);
    await this.#pass(targetId).catch((error: unknown) => this.#deps.log.debug('outcomes were not written', { error }));
  }

  /** @returns how many keep their place */
  #settleAgain(ended: readonly EndedAttempt[], error: unknown): number {
    const again = ended.filter(({ failures }) => failures + 1 < SETTLE_TRIES && !this.#given.signal.aborted);
    if (again.length < ended.length) this.#deps.log.error('outcomes of webhook attempts are lost', { error });
    for (const one of again) this.#follow(this.#endLater({ ...one, failures: one.failures + 1 }));
    return again.length;
  }

  async #endLater(ended: EndedAttempt): Promise<void> {
    const delayMs = backoffMs(ended.failures, this.#deps.random, SETTLE_BACKOFF);
    await wait(delayMs, undefined, { signal: this.#given.signal }).catch(() => undefined);
    await this.#end(ended);
  }

  #follow(lane: Promise<void>): void {
    this.#lanes.add(lane);
    void lane.finally(() => this.#lanes.delete(lane));
  }

  #transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return this.#transactions(() => withTransaction(this.#deps.db, work));
  }

  #release(places: number): void {
    this.#free += places;
    for (const targetId of this.#waiting) {
      if (this.#free === 0) return;
      this.#waiting.delete(targetId);
      this.serve(targetId).catch((error: unknown) => this.#deps.log.error('a webhook target could not be served', { error }));
    }
  }

  async #drain(): Promise<void> {
    for (const targetId of this.#waiting) await this.#wakeOther(targetId);
    this.#waiting.clear();
    const late = setTimeout(() => this.#given.abort(), DRAIN_MS);
    while (this.#lanes.size > 0) await Promise.all(this.#lanes);
    clearTimeout(late);
  }

  /** A moment later: whoever looks may be this process again. */
  #wakeOther(targetId: number): Promise<void> {
    return this.#deps.queue.send(DELIVER_QUEUE, { targetId }, { startAfterSeconds: 1 });
  }
}
