import { SvcError } from './errors.ts';

/** A limit of time for one call, and what its caller may end it with. */
export class Deadline {
  /** Aborts what the call waits for. */
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

  /** To be called when the call is over: a body that streams may last longer. */
  end(): void {
    clearTimeout(this.#timer);
  }

  /** What the caller is told of `cause`: the own reason if it ended the call, as `fetch` does. */
  explain(cause: unknown): unknown {
    if (this.#given?.aborted) return this.#given.reason;
    if (cause instanceof SvcError) return cause;
    if (this.signal.aborted) return new SvcError('timeout', 'the service did not answer in time', { cause });
    return new SvcError('unreachable', 'the service cannot be reached', { cause });
  }
}
