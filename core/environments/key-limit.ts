import type { Knex } from 'knex';
import type { Notices } from '../db/notices.ts';
import type { Clock } from '../kit/clock.ts';
import type { Logger } from '../kit/logger.ts';
import { exchangeCounts, type RateSum } from './rate-count-store.ts';
import { RateTally } from './rate-tally.ts';

const WINDOW_MS = 60_000;
const EXCHANGE_MS = 1_000;
/** After so many seconds without a request anywhere there is an exchange only every `REST_EVERY`, to be known as present. */
const BUSY_SECONDS = 60;
const REST_EVERY = 10;
const TOPIC = 'rate-limit';

interface KeyLimitDeps {
  readonly db: Knex;
  readonly clock: Clock;
  readonly log: Logger;
  readonly notices: Notices;
  readonly instanceId: string;
  /** Requests per key and minute. */
  readonly limit: number;
}

/** What a request counted for. */
export interface Taken {
  readonly limit: number;
  readonly remaining: number;
  /** The end of the running minute. */
  readonly resetsAt: Date;
  /** Set when the request is one too many. */
  readonly retryAfterSeconds?: number;
}

/**
 * Counts the requests of each API key within the running minute, here and on all other instances: about once a second each
 * tells the others its counts, never while a request waits. While the database is away each instance counts for itself.
 */
export class KeyLimit implements AsyncDisposable {
  readonly #deps: KeyLimitDeps;
  readonly #tallies = new Map<number, RateTally>();
  readonly #timer: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #window = 0;
  /** Number of further instances. */
  #others = 0;
  #quietSeconds = 0;
  #isAlone = false;
  #running: Promise<void> | undefined;

  constructor(deps: KeyLimitDeps) {
    this.#deps = deps;
    const onArrival = (instanceId: string) => {
      if (instanceId !== deps.instanceId) void this.exchange();
    };
    this.#unsubscribe = deps.notices.subscribe(TOPIC, onArrival, () => undefined);
    this.#timer = setInterval(() => this.#tick(), EXCHANGE_MS).unref();
    this.#running = this.#introduce().finally(() => {
      this.#running = undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    this.#unsubscribe();
    await this.#running;
  }

  /** Counts one more request, unless it is one too many. */
  take(keyId: number): Taken {
    const now = this.#deps.clock.now().getTime();
    this.#roll(now);
    const tally = this.#tallyOf(keyId);
    const isTaken = tally.take();
    if (this.#quietSeconds >= BUSY_SECONDS) void this.exchange();
    this.#quietSeconds = 0;
    const { limit } = this.#deps;
    const resetsAt = new Date((this.#window + 1) * WINDOW_MS);
    if (isTaken) return { limit, remaining: tally.left, resetsAt };
    // With something left in all, the next exchange may give this instance more of it.
    const waitMs = tally.left > 0 ? EXCHANGE_MS : resetsAt.getTime() - now;
    return { limit, remaining: 0, resetsAt, retryAfterSeconds: Math.ceil(waitMs / 1_000) };
  }

  /** Tells the others and learns from them; one at a time. Never fails. */
  exchange(): Promise<void> {
    this.#running ??= this.#exchangeNow().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  #tick(): void {
    this.#quietSeconds += 1;
    if (this.#quietSeconds < BUSY_SECONDS || this.#quietSeconds % REST_EVERY === 0) void this.exchange();
  }

  /** The others look at once who has come, so that from the first request on all reckon with the same number of instances. */
  async #introduce(): Promise<void> {
    const { db, notices, instanceId, log } = this.#deps;
    await this.#exchangeNow();
    await notices
      .publish(db, TOPIC, instanceId)
      .catch((error: unknown) => log.debug('other instances were not told of this one', { error }));
  }

  async #exchangeNow(): Promise<void> {
    const { db, clock, log, instanceId } = this.#deps;
    this.#roll(clock.now().getTime());
    const window = this.#window;
    const news = [...this.#tallies].filter(([, tally]) => tally.isNews);
    const own = news.map(([keyId, { taken, kept }]) => ({ keyId, taken, kept }));
    try {
      const { others, sums } = await exchangeCounts(db, { instanceId, window: new Date(window * WINDOW_MS), own });
      this.#isAlone = false;
      if (window !== this.#window) return;
      for (const said of own) this.#tallies.get(said.keyId)?.tell(said);
      this.#learn(sums, others);
    } catch (error) {
      if (!this.#isAlone) log.warn('requests per API key are counted by this instance alone', { error });
      this.#isAlone = true;
      this.#learn([], 0);
    }
  }

  #learn(sums: readonly RateSum[], others: number): void {
    this.#others = others;
    const byKey = new Map(sums.map((sum) => [sum.keyId, sum]));
    for (const keyId of byKey.keys()) this.#tallyOf(keyId);
    for (const [keyId, tally] of this.#tallies) if (tally.learn(byKey.get(keyId), others)) this.#quietSeconds = 0;
  }

  #tallyOf(keyId: number): RateTally {
    let tally = this.#tallies.get(keyId);
    if (tally === undefined) {
      tally = new RateTally(this.#deps.limit, this.#others);
      this.#tallies.set(keyId, tally);
    }
    return tally;
  }

  #roll(nowMs: number): void {
    const window = Math.floor(nowMs / WINDOW_MS);
    if (window === this.#window) return;
    this.#window = window;
    for (const [keyId, tally] of this.#tallies) if (!tally.roll(this.#others)) this.#tallies.delete(keyId);
  }
}
