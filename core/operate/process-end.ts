import type { Logger } from '../kit/logger.ts';

/**
 * Milliseconds from the request to end until this process exits in any case: less than the 30 s that orchestrators allow, and
 * more than the 25 s for which refreshes are awaited (`credentials/fresh.ts`), since the database must be open until they are
 * stored. Work that is not done by then is left to another instance: leases expire by themselves.
 */
const DEADLINE_MS = 29_000;
/**
 * Milliseconds within which a repeated signal counts as an echo of the first: at a terminal, Ctrl-C reaches both this process and
 * npm, and npm (11.19, signal-manager.js) forwards it, so it arrives here twice.
 */
const ECHO_MS = 500;

/**
 * Decides when and how this process ends. The first signal requests an orderly end; a second one ends the process immediately. An
 * uncaught exception or rejection also requests an orderly end, since the state that it left behind is unknown.
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
