import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { ServiceError } from '../errors.ts';
import { paceBody } from './body-pace.ts';

/**
 * Of a JSON body where the route says nothing else. Metadata and configuration of 64 KB each fit, also where a client escapes
 * every letter beyond ASCII; what is larger would hold up everyone else while it is read.
 */
export const MAX_BODY_BYTES = 512 * 1024;
/** From the end of the request's head to the last byte of its body. */
export const BODY_DEADLINE_MS = 30_000;

export interface BodyLimits {
  readonly maxBytes: number;
  readonly deadlineMs: number;
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The body's bytes as they came. @throws ServiceError `payload_too_large`, `request_timeout` */
export async function readBody(request: IncomingMessage, { maxBytes, deadlineMs }: BodyLimits): Promise<Buffer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new ServiceError('request_timeout', 'the body of the request took too long')),
    deadlineMs,
  );
  try {
    paceBody(request);
    const length = request.headers['content-length'] ?? null;
    return await Promise.race([getRawBody(request, { length, limit: maxBytes }), late]);
  } catch (cause) {
    throw asServiceError(cause, maxBytes);
  } finally {
    clearTimeout(timer);
  }
}

function asServiceError(cause: unknown, maxBytes: number): unknown {
  const type = cause instanceof Error && 'type' in cause ? cause.type : undefined;
  if (type === 'entity.too.large')
    return new ServiceError('payload_too_large', `the body may have at most ${maxBytes} bytes`, { cause });
  // The caller left; nobody reads this.
  if (type === 'request.aborted') return new ServiceError('invalid_body', 'the body ended early', { cause });
  return cause;
}
