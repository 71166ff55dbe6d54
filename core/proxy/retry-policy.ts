import type { ProviderDefinition } from '#contract';
import { ServiceError } from '../errors.ts';
import { backoffMs } from '../kit/backoff.ts';
import type { ProxyOptions } from './options.ts';
import { headerValue } from './raw-headers.ts';
import type { ResponseHead } from './send.ts';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
/** Time limit for all attempts and waits together, unless the caller allowed a single attempt to take longer. */
const TOTAL_MS = 60_000;
const TOO_MANY_REQUESTS = 429;
/** Methods whose requests may be repeated without an `Idempotency-Key`: the idempotent ones (RFC 9110 §9.2.2). */
const IDEMPOTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** Larger numbers are milliseconds: as seconds they would denote times after the year 5000. */
const MAX_EPOCH_SECONDS = 1e11;

/** The part of a provider's definition that says how the provider requests a retry. */
export type RetryHints = NonNullable<NonNullable<ProviderDefinition['proxy']>['retry']>;

interface RetryInput {
  readonly options: Pick<ProxyOptions, 'retries' | 'retryOn' | 'firstByteMs'>;
  readonly method: string;
  readonly hasIdempotencyKey: boolean;
  readonly hints: RetryHints;
  readonly now: () => Date;
  readonly random: () => number;
}

/** The remaining retries of one call. There are none unless the caller requests them, or the plugin requests one. */
export class RetryPolicy {
  readonly #input: RetryInput;
  readonly #until: number;
  #left: number;
  #failures = 0;

  constructor(input: RetryInput) {
    this.#input = input;
    const isRepeatable = IDEMPOTENT.has(input.method) || input.hasIdempotencyKey;
    this.#left = isRepeatable ? input.options.retries : 0;
    this.#until = input.now().getTime() + Math.max(TOTAL_MS, input.options.firstByteMs);
  }

  /**
   * Returns how long to wait before a retry, in milliseconds; undefined if there is to be none. A wait that the plugin does not
   * request uses up one of the caller's retries.
   *
   * @param result the response, or the reason why there is none
   * @param pluginDelayMs the delay of a retry that the plugin requests
   */
  nextDelayMs(result: ResponseHead | ServiceError, pluginDelayMs?: number): number | undefined {
    const now = this.#input.now();
    const delayMs = pluginDelayMs ?? this.#consumeCallerRetry(result, now);
    return delayMs !== undefined && now.getTime() + delayMs < this.#until ? delayMs : undefined;
  }

  #consumeCallerRetry(result: ResponseHead | ServiceError, now: Date): number | undefined {
    if (this.#left === 0 || !this.#isRetryable(result)) return undefined;
    const { hints, random } = this.#input;
    this.#left -= 1;
    this.#failures += 1;
    const requested = result instanceof ServiceError ? undefined : requestedDelayMs(hints, result, now);
    return requested ?? backoffMs(this.#failures, random, { firstMs: FIRST_WAIT_MS, maxMs: LONGEST_WAIT_MS });
  }

  #isRetryable(result: ResponseHead | ServiceError): boolean {
    if (result instanceof ServiceError) return result.code === 'provider_unreachable' || result.code === 'provider_timeout';
    const { status } = result;
    if (status === TOO_MANY_REQUESTS || status >= 500 || this.#input.options.retryOn.includes(status)) return true;
    return requestsRetry(this.#input.hints, result);
  }
}

/** Returns the longest wait that the response requests: `Retry-After` (RFC 9110 §10.2.3) and the headers of the definition. */
export function requestedDelayMs(hints: RetryHints, { headers }: ResponseHead, now: Date): number | undefined {
  const read = (name: string | undefined) => (name === undefined ? undefined : headerValue(headers, name.toLowerCase()));
  const retryAfter = read('retry-after');
  const waits = [
    secondsMs(retryAfter) ?? untilDateMs(retryAfter, now),
    secondsMs(read(hints.after)),
    untilEpochMs(read(hints.at), now),
  ].filter((ms) => ms !== undefined);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

function requestsRetry(hints: RetryHints, { status, headers }: ResponseHead): boolean {
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
