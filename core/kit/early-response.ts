import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Returns whether the body of a request has not arrived completely yet. */
export function isBodyMissing(request: IncomingMessage): boolean {
  return !request.complete && hasBody(request);
}

/**
 * Waits a moment for a small body, which arrives together with the head but is read just after it. Await this before refusing a
 * request, so that its network connection can be used again.
 */
export async function awaitSmallBody(request: IncomingMessage): Promise<void> {
  if (isBodyMissing(request)) await nextTurn();
}

/**
 * Closes the network connection after a response that is sent before the request's body has arrived: the rest of the body may
 * take arbitrarily long, and the next request on the connection should not have to wait for it. To be called before the head of
 * the response is written.
 */
export function closeIfEarly(response: ServerResponse): void {
  if (isBodyMissing(response.req)) response.shouldKeepAlive = false;
}
