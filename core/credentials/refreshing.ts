import { setTimeout as pause } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Connection } from '../connections/connection.ts';
import { DatabaseTime } from '../db/database-time.ts';
import { SingleFlight } from '../kit/single-flight.ts';
import type { LeaseRef } from './lease-store.ts';
import { REFRESH_TIMES, type RefreshTimes } from './refresh-times.ts';

/** Maximum number of parallel calls to each origin, per process. */
const CALLS = 10;
const SLOW_CALLS = 40;

interface Slots {
  /** Number of calls that run or wait. */
  users: number;
  readonly calls: LimitFunction;
  readonly slowCalls: LimitFunction;
}

/**
 * Limits the parallel calls of a process to each origin. A slow call frees its slot for others by moving to a slot for slow
 * calls, as long as one of those is free.
 */
export class CallSlots {
  readonly #slowAfterMs: number;
  readonly #origins = new Map<string, Slots>();

  constructor({ slowAfterMs }: { readonly slowAfterMs: number }) {
    this.#slowAfterMs = slowAfterMs;
  }

  /** Waits for one of the origin's slots, then runs `work`. */
  async run(origin: string, work: () => Promise<void>): Promise<void> {
    const slots = this.#origins.get(origin) ?? { users: 0, calls: pLimit(CALLS), slowCalls: pLimit(SLOW_CALLS) };
    slots.users += 1;
    this.#origins.set(origin, slots);
    let ended: Promise<void> = Promise.resolve();
    try {
      await slots.calls(async () => {
        ended = work();
        // A failure of `work` is thrown by `await ended` below.
        const finished = ended.catch(() => undefined);
        await this.#endedOrSlow(slots, finished);
      });
      await ended;
    } finally {
      slots.users -= 1;
      if (slots.users === 0) this.#origins.delete(origin);
    }
  }

  async #endedOrSlow({ slowCalls }: Slots, finished: Promise<void>): Promise<void> {
    const over = new AbortController();
    const hasMoved = Promise.withResolvers<void>();
    const patience = pause(this.#slowAfterMs, undefined, { signal: over.signal, ref: false });
    patience.then(
      () =>
        slowCalls(() => {
          hasMoved.resolve();
          return finished;
        }),
      () => undefined,
    );
    await Promise.race([finished, hasMoved.promise]);
    // A call that has ended needs no slow slot. If it is already queued for one, it gives that slot back as soon as it gets it.
    over.abort();
  }
}

const LIFT_EVERY_MS = 10_000;

/** The row that a lease is on; the `connectionId` is not known before the connection is read. */
type HeldLease = LeaseRef & Partial<Pick<Connection, 'connectionId'>>;

/** The state of this process's refreshes, in memory only. */
export class Refreshing {
  readonly flights = new SingleFlight<string, Connection>();
  readonly time = new DatabaseTime();
  /**
   * Leases of this process by owner, from before the claim until the row says how the call ended; undefined while a worker claims
   * the row.
   */
  readonly held = new Map<string, HeldLease | undefined>();
  readonly times: RefreshTimes;
  readonly #slots: CallSlots;
  readonly #running = new Set<Promise<unknown>>();
  readonly #lifts = new Map<number, number>();
  #closedAtMs: number | undefined;
  #isAbandoned = false;

  constructor(times: RefreshTimes = REFRESH_TIMES) {
    this.times = times;
    this.#slots = new CallSlots(times);
  }

  /** Marks that the process is shutting down: calls under way continue, but no new one starts. */
  close(): void {
    this.#closedAtMs ??= performance.now();
  }

  get isClosed(): boolean {
    return this.#closedAtMs !== undefined;
  }

  /** Marks that the process ends now: what is not written yet is lost. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Returns whether a call of this process is under way for the connection. */
  isCallingFor({ id }: LeaseRef): boolean {
    return [...this.held.values()].some((held) => held?.id === id);
  }

  /**
   * Waits for one of the origin's slots, then runs `work`. The lease is claimed by `work`, so that it does not expire during the
   * wait. Does nothing after `close`.
   */
  async withSlot(origin: string, work: () => Promise<void>): Promise<void> {
    await this.#slots.run(origin, async () => {
      if (!this.isClosed) await work();
    });
  }

  /** Keeps track of a promise that its callers may stop waiting for, so that the shutdown waits for it. */
  track<T>(work: Promise<T>): Promise<T> {
    const forget = () => this.#running.delete(work);
    this.#running.add(work);
    work.then(forget, forget);
    return work;
  }

  /** Waits until no refresh of this process is under way. @returns false when that took too long, counted from `close` */
  async drained(withinMs: number): Promise<boolean> {
    const time = new AbortController();
    const sinceClosedMs = performance.now() - (this.#closedAtMs ?? performance.now());
    const over = pause(Math.max(0, withinMs - sinceClosedMs), undefined, { signal: time.signal }).catch(() => undefined);
    while (this.#running.size > 0) {
      const ended = await Promise.race([Promise.allSettled(this.#running), over]);
      if (ended === undefined) return false;
    }
    time.abort();
    return true;
  }

  /** Returns whether the back-offs of an integration's other connections may be lifted now; true at most every ten seconds. */
  mayLift(integrationId: number): boolean {
    const now = performance.now();
    const lifted = this.#lifts.get(integrationId);
    if (lifted !== undefined && now - lifted < LIFT_EVERY_MS) return false;
    this.#lifts.set(integrationId, now);
    return true;
  }
}
