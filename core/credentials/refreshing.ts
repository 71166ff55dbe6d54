import { setTimeout as pause } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Connection } from '../connections/connection.ts';
import { SingleFlight } from '../kit/single-flight.ts';
import { DatabaseTime } from './database-time.ts';
import type { LeaseRef } from './lease-store.ts';

/** Token calls at one provider from one process: with two instances no more than twenty together. */
const CALLS_PER_PROVIDER = 10;
const LIFT_EVERY_MS = 10_000;

/** What one process remembers of its refreshes. One for each process; lost without harm when it dies. */
export class Refreshing {
  readonly flights = new SingleFlight<string, Connection>();
  readonly time = new DatabaseTime();
  /** Claimed leases by owner, until the row says how the call ended. */
  readonly held = new Map<string, LeaseRef>();
  readonly #limits = new Map<string, LimitFunction>();
  readonly #running = new Set<Promise<unknown>>();
  readonly #lifts = new Map<number, number>();

  /** Waits for one of the provider's slots. The lease is claimed inside, so that waiting does not use it up. */
  async withSlot<T>(provider: string, work: () => Promise<T>): Promise<T> {
    const limit = this.#limits.get(provider) ?? pLimit(CALLS_PER_PROVIDER);
    this.#limits.set(provider, limit);
    try {
      return await limit(work);
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) this.#limits.delete(provider);
    }
  }

  /** Owns a promise that its callers may stop waiting for. */
  track<T>(work: Promise<T>): Promise<T> {
    const forget = () => this.#running.delete(work);
    this.#running.add(work);
    work.then(forget, forget);
    return work;
  }

  /** Waits until no refresh of this process is under way. @returns false when time ran out first */
  async drained(withinMs: number): Promise<boolean> {
    const time = new AbortController();
    const over = pause(withinMs, undefined, { signal: time.signal }).catch(() => undefined);
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
