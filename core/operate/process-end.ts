import type { Logger } from '../kit/logger.ts';

/**
 * Milliseconds after which this process exits in any case: within the 30 s that orchestrators allow, and beyond the 25 s for
 * which refreshes are awaited (`credentials/fresh.ts`), which the database must outlive. Work that is not done by then is left to
 * another instance: leases end by themselves.
 */
const DEADLINE_MS = 29_000;
/**
 * Milliseconds in which a repeated signal is an echo: at a terminal, Ctrl-C reaches this process and npm, and npm (11.19,
 * signal-manager.js) forwards it, so it arrives twice.
 */
const ECHO_MS = 500;

/**
 * Decides when and how this process ends. The first signal requests an orderly end; the second does not wait for it. A stray
 * exception or rejection also requests an end, since the state that it left behind is unknown.
 */
export class ProcessEnd {
  readonly #log: Logger;
  readonly #asked = new AbortController();
  #signalledAt: number | undefined;
  #exitCode = 0;

  constructor(log: Logger) {
    this.#log = log;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#onSignal(signal));
    for (const event of ['uncaughtException', 'unhandledRejection'] as const)
      process.on(event, (error: unknown) => this.#onUncaught(error));
  }

  /** Aborted when the process is to end. */
  get signal(): AbortSignal {
    return this.#asked.signal;
  }

  /** The exit code: 0 after a signal, 1 after a fault. */
  get exitCode(): number {
    return this.#exitCode;
  }

  #onSignal(signal: NodeJS.Signals): void {
    const now = performance.now();
    this.#signalledAt ??= now;
    if (now - this.#signalledAt > ECHO_MS) process.exit(1);
    this.#ask('stopping', { signal });
  }

  #onUncaught(error: unknown): void {
    this.#log.error('an uncaught exception or rejection', { error });
    this.#exitCode = 1;
    this.#ask('stopping after an uncaught error');
  }

  #ask(message: string, facts: Record<string, unknown> = {}): void {
    if (this.signal.aborted) return;
    this.#log.info(message, facts);
    this.#asked.abort();
    setTimeout(() => {
      this.#log.error('some work did not end in time; the process exits');
      process.exit(1);
    }, DEADLINE_MS).unref();
  }
}
