import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProviderDefinition } from '#contract';
import { ServiceError } from '../errors.ts';
import { backoffMs } from '../kit/backoff.ts';
import type { Answer } from './exchange.ts';
import type { RetryRule } from './finish.ts';
import type { ProxyOptions } from './options.ts';
import { PluginRetry } from './plugin-retry.ts';
import { headerValue } from './response-headers.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
/** For all tries and waits together, unless the caller allowed a single one to take longer. */
const TOTAL_MS = 60_000;
const TOO_MANY_REQUESTS = 429;
/** RFC 9110 §9.2.2. */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** Numbers above are milliseconds: as seconds they lie beyond the year 5000. */
const MAX_EPOCH_SECONDS = 1e11;

/** A provider's own words for "later", from its definition. */
export type RetryHints = NonNullable<NonNullable<ProviderDefinition['proxy']>['retry']>;

interface RetryInput {
  readonly options: Pick<ProxyOptions, 'retries' | 'retryOn' | 'firstByteMs'>;
  readonly method: string;
  readonly hasIdempotencyKey: boolean;
  readonly hints: RetryHints;
  /** The plugin's. */
  readonly rule?: RetryRule | undefined;
  readonly now: () => Date;
  readonly random: () => number;
}

/** What may still be tried again for one call. Nothing, unless the caller asked for it, or the plugin does, once. */
export class Retries {
  readonly #input: RetryInput;
  readonly #plugin: PluginRetry | undefined;
  readonly #until: number;
  #left: number;
  #failures = 0;

  constructor(input: RetryInput) {
    this.#input = input;
    this.#plugin = input.rule && new PluginRetry(input.rule);
    const isRepeatable = IDEMPOTENT.has(input.method) || input.hasIdempotencyKey;
    this.#left = isRepeatable ? input.options.retries : 0;
    this.#until = input.now().getTime() + Math.max(TOTAL_MS, input.options.firstByteMs);
  }

  /** Whether an answer with this head calls for another try. */
  isWanted(answer: Answer): boolean {
    if (this.#plugin?.isWanted(answer) === true) return true;
    if (this.#left === 0) return false;
    const { options, hints } = this.#input;
    const { status } = answer;
    if (status === TOO_MANY_REQUESTS || status >= 500 || options.retryOn.includes(status)) return true;
    return meansLater(hints, answer);
  }

  /** Whether a call that ended without an answer may be tried again. */
  isWantedAfter(error: unknown): boolean {
    const isNetwork =
      error instanceof ServiceError && (error.code === 'provider_unreachable' || error.code === 'provider_timeout');
    return isNetwork && this.#left > 0;
  }

  /**
   * Takes one try and says how long to wait before it, in milliseconds; undefined when the time would not be enough.
   *
   * @throws ServiceError of the plugin's rule
   */
  take(answer: Answer | undefined): number | undefined {
    const now = this.#input.now();
    const waitMs = this.#plugin?.take() ?? this.#takeCallers(answer, now);
    return now.getTime() + waitMs < this.#until ? waitMs : undefined;
  }

  #takeCallers(answer: Answer | undefined, now: Date): number {
    const { hints, random } = this.#input;
    this.#left -= 1;
    this.#failures += 1;
    const wished = answer === undefined ? undefined : wishedWaitMs(hints, answer, now);
    return wished ?? backoffMs(this.#failures, random, { firstMs: FIRST_WAIT_MS, maxMs: LONGEST_WAIT_MS });
  }
}

/** Waits, unless the caller leaves before. */
export async function waitFor(ms: number, response: ServerResponse): Promise<void> {
  const left = new AbortController();
  const onClose = () => left.abort();
  response.once('close', onClose);
  await wait(ms, undefined, { signal: left.signal }).catch(() => undefined);
  response.off('close', onClose);
}

/** The longest of the waits that the answer asks for: `Retry-After` (RFC 9110 §10.2.3) and the headers of the definition. */
export function wishedWaitMs(hints: RetryHints, { headers }: Answer, now: Date): number | undefined {
  const read = (name: string | undefined) => (name === undefined ? undefined : headerValue(headers, name.toLowerCase()));
  const retryAfter = read('retry-after');
  const waits = [
    secondsMs(retryAfter) ?? untilDateMs(retryAfter, now),
    secondsMs(read(hints.after)),
    untilEpochMs(read(hints.at), now),
  ].filter((ms) => ms !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function meansLater(hints: RetryHints, { status, headers }: Answer): boolean {
  if (status < 400) return false;
  if (hints.error_code !== undefined && matchesCode(hints.error_code, status)) return true;
  return hints.remaining !== undefined && headerValue(headers, hints.remaining.toLowerCase())?.trim() === '0';
}

function matchesCode(code: string, status: number): boolean {
  return code.endsWith('xx') ? code.startsWith(String(Math.floor(status / 100))) : code === String(status);
}

function secondsMs(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) * 1000 : undefined;
}

function untilDateMs(value: string | undefined, now: Date): number | undefined {
  const time = Date.parse(value ?? '');
  return Number.isNaN(time) ? undefined : Math.max(time - now.getTime(), 0);
}

function untilEpochMs(value: string | undefined, now: Date): number | undefined {
  const ms = secondsMs(value);
  if (ms === undefined) return untilDateMs(value, now);
  const time = ms / 1000 < MAX_EPOCH_SECONDS ? ms : ms / 1000;
  return Math.max(time - now.getTime(), 0);
}
