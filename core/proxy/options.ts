import type { IncomingHttpHeaders } from 'node:http';
import { type ErrorDetail, ServiceError } from '../errors.ts';

const MAX_RETRIES = 10;
const DEFAULT_TIMEOUT_SECONDS = 60;
const MAX_TIMEOUT_SECONDS = 3600;
const STATUS_LIST = /^[1-5]\d\d(?:,[1-5]\d\d)*$/;

/** The caller's options for the proxy itself, in headers that are not forwarded. */
export interface ProxyOptions {
  readonly providerConfigKey: string;
  readonly connectionId: string;
  /** Maximum number of attempts after the first has failed. */
  readonly retries: number;
  /** Statuses to retry in addition to 429 and 5xx. */
  readonly retryOn: readonly number[];
  readonly baseUrlOverride: string | undefined;
  readonly decompress: boolean;
  /** Time limit from the moment the request is sent to the first byte of the response. */
  readonly firstByteMs: number;
  /** Time limit between two chunks of a body, in either direction. */
  readonly idleMs: number;
}

/** Reads the options. @throws ServiceError `invalid_headers`, one detail for each fault */
export function readOptions(headers: IncomingHttpHeaders): ProxyOptions {
  const faults: ErrorDetail[] = [];
  const read = new HeaderReader(headers, faults);
  const timeoutSeconds = read.integer('Svc-Timeout', { from: 1, to: MAX_TIMEOUT_SECONDS }) ?? DEFAULT_TIMEOUT_SECONDS;
  const options = {
    providerConfigKey: read.required('Provider-Config-Key'),
    connectionId: read.required('Connection-Id'),
    retries: read.integer('Retries', { from: 0, to: MAX_RETRIES }) ?? 0,
    retryOn: read.statuses('Retry-On'),
    baseUrlOverride: read.optional('Base-Url-Override'),
    decompress: read.flag('Decompress'),
    firstByteMs: timeoutSeconds * 1000,
    idleMs: Math.max(timeoutSeconds, DEFAULT_TIMEOUT_SECONDS) * 1000,
  };
  if (faults.length > 0) throw new ServiceError('invalid_headers', 'headers of the proxy call are invalid', { details: faults });
  return options;
}

/** Reads headers one by one and collects their faults. An empty value counts as absent. */
class HeaderReader {
  readonly #headers: IncomingHttpHeaders;
  readonly #faults: ErrorDetail[];

  constructor(headers: IncomingHttpHeaders, faults: ErrorDetail[]) {
    this.#headers = headers;
    this.#faults = faults;
  }

  optional(name: string): string | undefined {
    const value = this.#headers[name.toLowerCase()];
    return typeof value === 'string' && value !== '' ? utf8(value) : undefined;
  }

  required(name: string): string {
    return this.optional(name) ?? this.#fault('', name, 'is required');
  }

  integer(name: string, { from, to }: { readonly from: number; readonly to: number }): number | undefined {
    const value = this.optional(name);
    if (value === undefined) return undefined;
    const isInRange = /^\d{1,5}$/.test(value) && Number(value) >= from && Number(value) <= to;
    return isInRange ? Number(value) : this.#fault(undefined, name, `must be a whole number from ${from} to ${to}`);
  }

  statuses(name: string): readonly number[] {
    const value = this.optional(name);
    if (value === undefined) return [];
    const list = value.replaceAll(' ', '');
    return STATUS_LIST.test(list)
      ? list.split(',').map(Number)
      : this.#fault([], name, 'must be a list of statuses such as 404,409');
  }

  flag(name: string): boolean {
    const value = this.optional(name)?.toLowerCase();
    if (value === undefined || value === 'false') return false;
    return value === 'true' || this.#fault(false, name, 'must be true or false');
  }

  #fault<T>(instead: T, name: string, message: string): T {
    this.#faults.push({ code: 'invalid_header', message: `${name} ${message}`, path: [name] });
    return instead;
  }
}

/**
 * Decodes a header value as UTF-8, if it is valid. Node reads header bytes as Latin-1 (RFC 9110 §5.5 leaves their meaning open);
 * clients write names in UTF-8.
 */
function utf8(value: string): string {
  if (!/[\x80-\xff]/.test(value)) return value;
  const text = Buffer.from(value, 'latin1').toString('utf8');
  return text.includes('\ufffd') ? value : text;
}
