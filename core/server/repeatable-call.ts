import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.ts';
import type { KeyCaller } from '../tenants/api-keys/caller.ts';
import type { Caller } from './access/caller.ts';
import type { RecordResponse, Reply, Writes } from './route.ts';

const IDEMPOTENCY_HEADER = 'idempotency-key';
export const MAX_IDEMPOTENCY_KEY = 255;

/** A request that creates something. */
export interface RepeatableCall {
  readonly writes: Writes;
  readonly method: string;
  readonly path: string;
  readonly query: unknown;
  readonly body: unknown;
  /** Undefined when the request is not repeatable. */
  readonly repetition: Repetition | undefined;
}

/** The properties by which a repetition of a request is recognized. */
export interface Repetition {
  readonly caller: KeyCaller;
  readonly idempotencyKey: string;
}

/** Serves requests that create something, only once for all requests with the same key. */
export interface RepeatableServer {
  serve<S>(services: S, call: RepeatableCall, handle: (services: S, record: RecordResponse) => Promise<Reply>): Promise<Reply>;
}

/**
 * Reads the `Idempotency-Key` of a request; members of the dashboard send none.
 *
 * @throws ServiceError `invalid_headers` if it is empty or too long
 */
export function repetitionOf(caller: Caller, headers: IncomingHttpHeaders): Repetition | undefined {
  const value = headers[IDEMPOTENCY_HEADER];
  if (value === undefined || !('keyId' in caller)) return undefined;
  if (typeof value === 'string' && value !== '' && value.length <= MAX_IDEMPOTENCY_KEY) return { caller, idempotencyKey: value };
  const message = `Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY} characters`;
  const details = [{ code: 'invalid_value', message, path: [IDEMPOTENCY_HEADER] }];
  throw new ServiceError('invalid_headers', message, { details });
}
