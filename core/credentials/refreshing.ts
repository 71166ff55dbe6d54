import { setTimeout as pause } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Connection } from '../connections/connection.ts';
import { DatabaseTime } from '../db/database-time.ts';
import { SingleFlight } from '../kit/single-flight.ts';
import type { LeaseRef } from './lease-store.ts';
import { REFRESH_TIMES, type RefreshTimes } from './refresh-times.ts';

/** For each origin and process. */
const CALLS = 10;
const SLOW_CALLS = 40;

interface Slots {
  /** Calls that run or wait. */
  users: number;
  readonly calls: LimitFunction;
  readonly slowCalls: LimitFunction;
}

/** Limits the calls of a process to each origin. A call that takes long makes room for others, as long as few are that slow. */
export class CallSlots {
  readonly #slowAfterMs: number;
  readonly #origins = new Map<string, Slots>();

  constructor({ slowAfterMs }: { readonly slowAfterMs: number }) {
    this.#slowAfterMs = slowAfterMs;
  }

  /** Waits for one of the origin's slots, then works. */
  async run(origin: string, work: () => Promise<void>): Promise<void> {
    const slots = this.#origins.get(origin) ?? { users: 0, calls: pLimit(CALLS), slowCalls: pLimit(SLOW_CALLS) };
    slots.users += 1;
    this.#origins.set(origin, slots);
    let ended: Promise<void> = Promise.resolve();
    try {
      await slots.calls(async () => {
        ended = work();
        // Its failure is thrown below.
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
    // One that has ended moves nowhere; the wait for a slot among the slow ones, should it be in one, then is over at once.
    over.abort();
  }
}

const LIFT_EVERY_MS = 10_000;

/** What a lease is held on; its connection's own ID is not known before that is read. */
type HeldLease = LeaseRef & Partial<Pick<Connection, 'connectionId'>>;

/** The state of the refreshes of this process, in memory only. */
export class Refreshing {
  readonly flights = new SingleFlight<string, Connection>();
  readonly time = new DatabaseTime();
  /** Leases of this process by owner, from before the claim until the row says how the call ended; undefined: being claimed. */
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

  /** The process is to end: calls under way go on, no new one is begun. */
  close(): void {
    this.#closedAtMs ??= performance.now();
  }

  get isClosed(): boolean {
    return this.#closedAtMs !== undefined;
  }

  /** The process ends now: what is not written yet is lost. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  get isAbandoned(): boolean {
    return this.#isAbandoned;
  }

  /** Whether a call of this process is under way for the connection. */
  isCallingFor({ id }: LeaseRef): boolean {
    return [...this.held.values()].some((held) => held?.id === id);
  }

  /**
   * Waits for one of the origin's slots. The lease is claimed inside, so that waiting does not use it up. Does nothing once this
   * is closed.
   */
  async withSlot(origin: string, work: () => Promise<void>): Promise<void> {
    await this.#slots.run(origin, async () => {
      if (!this.isClosed) await work();
    });
  }

  /** Owns a promise that its callers may stop waiting for. */
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

  /** Whether it is time to lift the back-offs of an integration's other connections; true at most every ten seconds. */
  mayLift(integrationId: number): boolean {
    const now = performance.now();
    const lifted = this.#lifts.get(integrationId);
    if (lifted !== undefined && now - lifted < LIFT_EVERY_MS) return false;
    this.#lifts.set(integrationId, now);
    return true;
  }
}
