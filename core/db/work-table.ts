import { AsyncLocalStorage } from 'node:async_hooks';
import { pauseUnlessAborted } from '../kit/abortable.ts';
import type { Logger } from '../kit/logger.ts';
import type { Signals, WorkTopic } from './work-signals.ts';

/** Maximum milliseconds for which a timer is set: rows that fall due later are found by a poll of `WorkSignals`. */
const MAX_WAIT_MS = 15_000;
const RETRY_MS = 1_000;
/** Runs work outside the context of the request that sent the signal, since the work is not part of that request. */
const runOutsideRequests = AsyncLocalStorage.snapshot();

interface WorkTableOptions {
  readonly signals: Signals;
  readonly log: Logger;
  readonly topic: WorkTopic;
  /** Claims and processes due rows. @returns milliseconds until the next row is due; undefined if there is none */
  readonly look: (signal: AbortSignal) => Promise<number | undefined>;
  /** Called with the keys of new rows. Default: a look at the whole table. */
  readonly onKeys?: (keys: readonly number[]) => void;
  /**
   * Minimum milliseconds from the beginning of one look to the next: rows that become due in between share the next look.
   * Default: 0.
   */
  readonly minIntervalMs?: number;
}

/**
 * Looks at a table whose rows are jobs: when it is signalled, when a row falls due, and from time to time, since a signal may be
 * lost and the claims of a dead process expire. Only one look runs at a time. `claim-due-rows.ts` has the claim, which gives each
 * row to one worker only.
 */
export class WorkTable implements AsyncDisposable {
  readonly #options: WorkTableOptions;
  readonly #stopping = new AbortController();
  #unsubscribe: (() => void) | undefined;
  #due: NodeJS.Timeout | undefined;
  #dueAtMs = Number.POSITIVE_INFINITY;
  #startedAtMs = Number.NEGATIVE_INFINITY;
  #isRequested = false;
  #hasFailed = false;
  #looking: Promise<void> | undefined;

  constructor(options: WorkTableOptions) {
    this.#options = options;
  }

  start(): void {
    const request = () => this.request();
    const { signals, topic, onKeys = request } = this.#options;
    this.#unsubscribe = signals.subscribe(topic, {
      onWork: (keys) => (keys === undefined ? request() : runOutsideRequests(() => onKeys(keys))),
      onGap: request,
      onPoll: request,
    });
    this.request();
  }

  /** Looks now, and once more if a look is under way. */
  request(): void {
    if (this.#stopping.signal.aborted || this.#unsubscribe === undefined) return;
    this.#isRequested = true;
    this.#looking ??= runOutsideRequests(() => this.#lookWhileRequested());
  }

  /** Requests a look in this many milliseconds at the latest. */
  requestWithin(ms: number): void {
    const atMs = performance.now() + ms;
    if (ms > MAX_WAIT_MS || atMs >= this.#dueAtMs || this.#stopping.signal.aborted) return;
    clearTimeout(this.#due);
    this.#dueAtMs = atMs;
    this.#due = setTimeout(() => this.request(), Math.max(0, ms)).unref();
  }

  /** Stops looking. Resolves when the look that is under way, if any, has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DOMException('the service stops', 'AbortError'));
    this.#unsubscribe?.();
    clearTimeout(this.#due);
    await this.#looking;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** Never rejects. */
  async #lookWhileRequested(): Promise<void> {
    const { signal } = this.#stopping;
    while (this.#isRequested && !signal.aborted) {
      await this.#keepInterval();
      this.#isRequested = false;
      if (!signal.aborted) await this.#look(signal);
    }
    this.#looking = undefined;
  }

  async #look(signal: AbortSignal): Promise<void> {
    clearTimeout(this.#due);
    this.#dueAtMs = Number.POSITIVE_INFINITY;
    this.#startedAtMs = performance.now();
    const { look, log, topic } = this.#options;
    try {
      const dueInMs = await look(signal);
      if (dueInMs !== undefined) this.requestWithin(dueInMs);
      this.#hasFailed = false;
    } catch (error) {
      // In an outage every look fails: the first one is enough to know.
      log[this.#hasFailed ? 'debug' : 'warn']('the due rows of a work table could not be queried', { topic, error });
      this.#hasFailed = true;
      this.requestWithin(RETRY_MS);
    }
  }

  async #keepInterval(): Promise<void> {
    const ms = this.#startedAtMs + (this.#options.minIntervalMs ?? 0) - performance.now();
    if (ms > 0) await pauseUnlessAborted(ms, this.#stopping.signal);
  }
}
