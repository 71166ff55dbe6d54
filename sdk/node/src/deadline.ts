import { SvcError } from './errors.ts';

/** Combines the timeout of a call with its caller's signal. */
export class Deadline {
  /** Aborted on timeout, or when the caller's signal is aborted. */
  readonly signal: AbortSignal;
  readonly #at: number;
  readonly #timer: NodeJS.Timeout;
  readonly #given: AbortSignal | undefined;

  constructor(timeoutMs: number, given: AbortSignal | undefined) {
    const controller = new AbortController();
    this.#at = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => controller.abort(), timeoutMs);
    this.#given = given;
    this.signal = given === undefined ? controller.signal : AbortSignal.any([given, controller.signal]);
  }

  leftMs(): number {
    return this.#at - performance.now();
  }

  /** Stops the timer at the end of the call, since reading a streaming body may take longer. */
  end(): void {
    clearTimeout(this.#timer);
  }

  /** Returns the error to throw: if the caller aborted the call, the reason of the caller's signal, as with `fetch`. */
  explain(cause: unknown): unknown {
    if (this.#given?.aborted) return this.#given.reason;
    if (cause instanceof SvcError) return cause;
    if (this.signal.aborted) return new SvcError('timeout', 'the service did not respond in time', { cause });
    return new SvcError('unreachable', 'the service cannot be reached', { cause });
  }
}
