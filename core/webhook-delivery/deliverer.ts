import { setTimeout as wait } from 'node:timers/promises';
import type { Knex } from 'knex';
import pLimit from 'p-limit';
import { withTransaction } from '../db/transaction.ts';
import { WorkTable } from '../db/work-table.ts';
import { backoffMs } from '../kit/backoff.ts';
import { attempt, type MessageAttempt } from './attempt.ts';
import { keepWithinLimits } from './backlog.ts';
import { claimDueMessages } from './claim-due.ts';
import type { WebhookDeliveryDeps } from './deps.ts';
import { PARALLEL_PER_TARGET } from './message-store.ts';
import { type FinishedAttempt, recordOutcomes } from './record-outcome.ts';
import { lockTarget, targetsWithPending } from './target-store.ts';

/** Maximum number of concurrent attempts in this process; with webhooks of 2 MiB they use half a gigabyte. */
const PARALLEL = 256;
/** Maximum number of concurrent transactions: requests need database connections of the pool, too. */
const TRANSACTIONS = 4;
const DRAIN_MS = 15_000;
/** Time until the service tries again to lock the row of a target that another transaction has locked. */
const LOCKED_MS = 50;
/**
 * How many times the service tries to record the outcome of an attempt while the database is unreachable; after that the outcome
 * is lost, and the webhook is sent again.
 */
const RECORD_TRIES = 5;
const RECORD_BACKOFF = { firstMs: 500, maxMs: 5_000 };

/** This process's work for a target: one pass at a time, each a transaction that records outcomes and claims webhooks. */
interface TargetWork {
  readonly targetId: number;
  /** Attempts that ended after the last pass. */
  finished: UnrecordedAttempt[];
  /** True if the next pass was requested; false if it is only due because an attempt has ended. */
  isRequested: boolean;
  current?: Promise<void> | undefined;
  next?: Promise<void> | undefined;
}

interface UnrecordedAttempt extends FinishedAttempt {
  /** How often recording the outcome has failed. */
  readonly failures: number;
}

interface Pass {
  readonly targetId: number;
  readonly finished: readonly UnrecordedAttempt[];
  /** Maximum number of webhooks to claim. */
  readonly limit: number;
}

/** Sends webhooks to their targets. A process that only stores webhooks never calls `start`. */
export class Deliverer implements AsyncDisposable {
  readonly #deps: WebhookDeliveryDeps;
  readonly #work: WorkTable;
  readonly #transactions = pLimit(TRANSACTIONS);
  readonly #limitChecks = pLimit(1);
  readonly #targets = new Map<number, TargetWork>();
  /** Attempts that are in progress or not yet recorded. */
  readonly #running = new Set<Promise<void>>();
  readonly #abandoned = new AbortController();
  /** Targets that wait for a free slot, in order. */
  readonly #waiting = new Set<number>();
  #free = PARALLEL;
  #unsubscribe: (() => void) | undefined;
  #stopping: Promise<void> | undefined;

  constructor(deps: WebhookDeliveryDeps) {
    this.#deps = deps;
    const onKeys = (ids: readonly number[]) => this.#serveAll(ids);
    const { signals, log } = deps;
    this.#work = new WorkTable({ signals, log, topic: 'webhook-messages', look: () => this.#look(), onKeys });
  }

  start(): void {
    const onWork = (targetIds: readonly number[] = []) => this.#checkLimits(targetIds);
    this.#unsubscribe = this.#deps.signals.subscribe('webhook-limits', { onWork });
    this.#work.start();
  }

  /** Stops claiming and waits up to 15 s for running attempts; the leases of those that take longer expire. */
  stop(): Promise<void> {
    this.#stopping ??= this.#drain();
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Starts sending the due webhooks of a target; resolves when they are claimed. */
  async serve(targetId: number): Promise<void> {
    if (this.#stopping !== undefined) return;
    if (this.#free === 0) {
      this.#waiting.add(targetId);
      return;
    }
    this.#workOf(targetId).isRequested = true;
    await this.#pass(targetId);
  }

  /** @returns milliseconds until the next webhook is due, among targets with nothing due now; undefined when there is none */
  async #look(): Promise<number | undefined> {
    const targets = await targetsWithPending(this.#deps.db);
    this.#serveAll(targets.flatMap(({ id, waitMs }) => (waitMs <= 0 ? id : [])));
    const waits = targets.flatMap(({ waitMs }) => (waitMs > 0 ? waitMs : []));
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  #serveAll(targetIds: readonly number[]): void {
    for (const targetId of targetIds)
      this.serve(targetId).catch((error: unknown) => {
        this.#deps.log.warn('the webhooks of a target could not be sent', { targetId, error });
        this.#work.requestWithin(RECORD_BACKOFF.firstMs);
      });
  }

  #checkLimits(targetIds: readonly number[]): void {
    for (const targetId of targetIds)
      this.#limitChecks(() => keepWithinLimits(this.#deps, targetId)).catch((error: unknown) =>
        this.#deps.log.warn('the limits of a webhook target could not be checked', { targetId, error }),
      );
  }

  #workOf(targetId: number): TargetWork {
    const known = this.#targets.get(targetId);
    if (known !== undefined) return known;
    const work: TargetWork = { targetId, finished: [], isRequested: false };
    this.#targets.set(targetId, work);
    return work;
  }

  /** Runs the next pass of a target. All who request one during the current pass share it. */
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
    const { targetId, isRequested } = work;
    const finished = work.finished.splice(0);
    work.isRequested = false;
    // A pass that was not requested claims nothing while other targets wait for a slot.
    const claims = this.#stopping === undefined && (isRequested || this.#waiting.size === 0);
    const further = claims ? Math.min(this.#free, PARALLEL_PER_TARGET) : 0;
    this.#free -= further;
    let unused = further + finished.length;
    const limit = claims ? unused : 0;
    if (limit === 0 && this.#stopping === undefined) this.#waiting.add(targetId);
    try {
      for (const claimed of await this.#transaction((trx) => this.#recordAndClaim(trx, { targetId, finished, limit }))) {
        unused -= 1;
        this.#track(this.#send(claimed));
      }
    } catch (error) {
      unused -= this.#recordAgain(finished, error);
      throw error;
    } finally {
      this.#release(unused);
    }
  }

  async #recordAndClaim(trx: Knex.Transaction, { targetId, finished, limit }: Pass): Promise<readonly MessageAttempt[]> {
    const target = await lockTarget(trx, targetId, { skipLocked: finished.length === 0 });
    if (target === undefined) {
      this.#work.requestWithin(LOCKED_MS);
      return [];
    }
    const now = await recordOutcomes(this.#deps, trx, { target, finished });
    if (this.#stopping !== undefined) this.#deps.signals.send(trx, 'webhook-messages', [targetId]);
    if (limit === 0) return [];
    const claimed = await claimDueMessages(this.#deps, trx, { target: now, limit });
    if (claimed.length === 0)
      for (const { waitMs } of await targetsWithPending(trx, targetId)) if (waitMs > 0) this.#work.requestWithin(waitMs);
    return claimed;
  }

  /** Sends a claimed webhook and records the outcome. Never rejects. */
  async #send(claimed: MessageAttempt): Promise<void> {
    const outcome = await attempt(this.#deps, claimed, this.#abandoned.signal);
    if (this.#abandoned.signal.aborted) return;
    this.#deps.counters.webhookAttempt(outcome.error ?? outcome.result);
    await this.#record({ attempt: claimed, outcome, failures: 0 });
  }

  async #record(finished: UnrecordedAttempt): Promise<void> {
    const { targetId } = finished.attempt;
    this.#workOf(targetId).finished.push(finished);
    await this.#pass(targetId).catch((error: unknown) =>
      this.#deps.log.debug('outcomes of webhook attempts could not be stored yet', { error }),
    );
  }

  /**
   * Tries again later to record the outcomes, except those that have failed too often.
   *
   * @returns how many attempts keep their slot until then
   */
  #recordAgain(finished: readonly UnrecordedAttempt[], error: unknown): number {
    const again = finished.filter(({ failures }) => failures + 1 < RECORD_TRIES && !this.#abandoned.signal.aborted);
    if (again.length < finished.length)
      this.#deps.log.error('outcomes of webhook attempts could not be stored; these webhooks are sent again', { error });
    for (const one of again) this.#track(this.#recordLater({ ...one, failures: one.failures + 1 }));
    return again.length;
  }

  async #recordLater(finished: UnrecordedAttempt): Promise<void> {
    const delayMs = backoffMs(finished.failures, this.#deps.random, RECORD_BACKOFF);
    await wait(delayMs, undefined, { signal: this.#abandoned.signal }).catch(() => undefined);
    await this.#record(finished);
  }

  #track(running: Promise<void>): void {
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  #transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    return this.#transactions(() => withTransaction(this.#deps.db, work));
  }

  #release(slots: number): void {
    this.#free += slots;
    for (const targetId of this.#waiting) {
      if (this.#free === 0) return;
      this.#waiting.delete(targetId);
      this.#serveAll([targetId]);
    }
  }

  async #drain(): Promise<void> {
    this.#unsubscribe?.();
    await this.#work.stop();
    if (this.#waiting.size > 0) this.#deps.signals.send(this.#deps.db, 'webhook-messages', [...this.#waiting]);
    this.#waiting.clear();
    const late = setTimeout(() => this.#abandoned.abort(), DRAIN_MS);
    while (this.#running.size > 0) await Promise.all(this.#running);
    clearTimeout(late);
  }
}
