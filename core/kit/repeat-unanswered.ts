import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import { errorCode } from './error-code.ts';
import { isKeptAndSilent } from './informational-responses.ts';

/** RFC 9110 §9.2.2, without those that change something and bring a body along. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
/** Of connections that the other side ended; our own deadlines end some, too. */
const ENDED_BY_PEER: ReadonlySet<unknown> = new Set(['ERR_CONNECTION_RESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** Errors of connections that ended without a byte of the response, and had been used before. */
const unanswered = new WeakSet<Error>();

/** undici gives a request the very error that its socket emits. */
export function noteWhetherUnanswered(socket: Socket, error: Error): void {
  if (ENDED_BY_PEER.has(errorCode(error)) && isKeptAndSilent(socket)) unanswered.add(error);
}

/**
 * Sends a request once more, on a new connection, where a kept one ends before a byte of the response: a server may close a
 * connection that it thinks idle while a request is on its way (RFC 9112 §9.3.1, §9.5).
 *
 * @param fresh uses each connection for one request
 */
export function repeatUnanswered(fresh: Dispatcher): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, isRepeatable(options) ? withRepetition(handler, () => fresh.dispatch(options, handler)) : handler);
}

function isRepeatable({ method, body, upgrade }: Dispatcher.DispatchOptions): boolean {
  return REPEATABLE.has(method) && (body ?? null) === null && !upgrade;
}

function withRepetition(handler: Dispatcher.DispatchHandler, repeat: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...started) => handler.onRequestStart?.(...started),
    onResponseStart: (...head) => handler.onResponseStart?.(...head),
    onResponseData: (...piece) => handler.onResponseData?.(...piece),
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError: (controller, error) => {
      if (unanswered.has(error)) repeat();
      else handler.onResponseError?.(controller, error);
    },
  };
}
