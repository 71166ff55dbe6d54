import type { Logger } from '../kit/logger.ts';

const SLOW_SECONDS = 1;
const COUNTS_EVERY_MS = 60_000;
/** Maximum number of different refusals in one line. */
const MAX_COUNTS = 20;
const FIRST_CLIENT_ERROR = 400;
const FIRST_SERVER_ERROR = 500;

/** A request that has ended. */
export interface EndedRequest {
  readonly requestId: string;
  readonly method: string;
  /** The declared path, or `none`. */
  readonly route: string;
  readonly status: number;
  /** From the head of the request to the end of the response. */
  readonly seconds: number;
  /** True for a response that lasts as long as its reader wants, such as a stream of events. */
  readonly isLasting: boolean;
}

/** Writes requests to the process log: each at level debug, the slow ones at level info, and once a minute counts of refusals. */
export class RequestLog {
  readonly #log: Pick<Logger, 'debug' | 'info'>;
  readonly #everyMs: number;
  readonly #refused = new Map<string, number>();

  constructor(log: Pick<Logger, 'debug' | 'info'>, everyMs = COUNTS_EVERY_MS) {
    this.#log = log;
    this.#everyMs = everyMs;
  }

  ended({ seconds, isLasting, ...request }: EndedRequest): void {
    const { method, route, status } = request;
    const facts = { ...request, durationMs: Math.round(seconds * 1_000) };
    const isSlow = seconds >= SLOW_SECONDS && !isLasting;
    if (isSlow) this.#log.info('a request was slow', facts);
    else this.#log.debug('a request', facts);
    if (status >= FIRST_CLIENT_ERROR && status < FIRST_SERVER_ERROR) this.#countRefusal(`${status} ${method} ${route}`);
  }

  #countRefusal(what: string): void {
    if (this.#refused.size === 0) setTimeout(() => this.#tellRefusals(), this.#everyMs).unref();
    this.#refused.set(what, (this.#refused.get(what) ?? 0) + 1);
  }

  #tellRefusals(): void {
    const counts = [...this.#refused].toSorted(([, one], [, other]) => other - one);
    this.#refused.clear();
    this.#log.info('requests were refused', { counts: Object.fromEntries(counts.slice(0, MAX_COUNTS)) });
  }
}
