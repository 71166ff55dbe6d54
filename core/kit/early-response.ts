import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Whether the body of a request is still on its way. */
export function isBodyMissing(request: IncomingMessage): boolean {
  return !request.complete && hasBody(request);
}

/** To be awaited before a refusal: a small body comes with the head, and is read a moment after it. */
export async function awaitSmallBody(request: IncomingMessage): Promise<void> {
  if (isBodyMissing(request)) await nextTurn();
}

/**
 * To be called before the head of a response is written. One that comes before the request's body is the last of its connection:
 * the rest may take any time, and no other request should wait behind it.
 */
export function closeIfEarly(response: ServerResponse): void {
  if (isBodyMissing(response.req)) response.shouldKeepAlive = false;
}
