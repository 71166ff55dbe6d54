import type { IncomingHttpHeaders } from 'node:http';
import { ServiceError } from '../errors.ts';
import type { KeyCaller } from '../tenants/api-keys/caller.ts';
import type { RecordResponse, Reply, Writes } from './route.ts';

export const IDEMPOTENCY_HEADER = 'idempotency-key';
export const MAX_IDEMPOTENCY_KEY = 255;

/** A request that makes something. */
export interface RepeatableCall {
  readonly writes: Writes;
  readonly caller: KeyCaller;
  readonly method: string;
  readonly path: string;
  readonly query: unknown;
  readonly body: unknown;
  /** Undefined: there is none. */
  readonly idempotencyKey: string | undefined;
}

/** Serves such requests: those that carry the same key, once. */
export interface RepeatableServer {
  serve<S>(services: S, call: RepeatableCall, handle: (services: S, record: RecordResponse) => Promise<Reply>): Promise<Reply>;
}

/** @throws ServiceError `invalid_headers` */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const value = headers[IDEMPOTENCY_HEADER];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '' && value.length <= MAX_IDEMPOTENCY_KEY) return value;
  const message = `Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY} characters`;
  const details = [{ code: 'invalid_value', message, path: [IDEMPOTENCY_HEADER] }];
  throw new ServiceError('invalid_headers', message, { details });
}
