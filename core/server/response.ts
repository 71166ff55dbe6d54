import { once } from 'node:events';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorDetail, ServiceError } from '../errors.ts';
import { closeIfEarly } from '../kit/early-response.ts';
import { hideKeys } from '../kit/hide-keys.ts';
import { HSTS_HEADER } from '../kit/hsts.ts';
import { LIMIT_HEADERS } from './access/key-limit.ts';
import { OPEN_TO_PAGES } from './cors.ts';
import { drainingOf } from './draining.ts';
import type { Reply } from './route.ts';

/**
 * Headers of every response that the service itself writes; a route may replace them (a page sets its own policy, a logo may be
 * cached).
 */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
};

export const REQUEST_ID_HEADER = 'svc-request-id';

/**
 * Headers that error responses keep: a page that may read a route's responses may read its errors, and every response carries the
 * rate limit of the caller's API key.
 */
const KEPT: ReadonlySet<string> = new Set([
  REQUEST_ID_HEADER,
  HSTS_HEADER,
  ...LIMIT_HEADERS,
  ...Object.keys(OPEN_TO_PAGES),
  'vary',
]);

/** Default of `Retry-After` for a 503 response, where the error sets none. */
const USUAL_WAIT_SECONDS = 5;

/**
 * How long a caller may take to read a whole response, or may leave the full buffer of a streamed one unread, before the socket
 * is destroyed.
 */
const READING_LIMIT_MS = 60_000;

/** Writes one whole response, or starts a streamed one. Headers that are already set stay unless the reply replaces them. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  const { body, type } = encode(reply);
  closeIfEarly(response);
  response.statusCode = reply.status ?? (body === undefined && reply.stream === undefined ? 204 : 200);
  const headers = { ...SECURITY_HEADERS, ...reply.headers };
  for (const [name, value] of Object.entries(headers)) if (value !== null) response.setHeader(name, value);
  if (type !== undefined) response.setHeader('content-type', type);
  if (reply.stream !== undefined) {
    void sendStream(response, reply.stream);
    return;
  }
  // RFC 9110 §8.6: no Content-Length in a 204, and in a 304 only the length of the whole response.
  if (![204, 304].includes(response.statusCode))
    response.setHeader('content-length', body === undefined ? 0 : Buffer.byteLength(body));
  response.end(body);
  if (!response.writableFinished) destroyAfter(response, READING_LIMIT_MS);
}

/** Writes the body of a response whose headers are set, part by part, no faster than it is read. */
async function sendStream(response: ServerResponse, stream: NonNullable<Reply['stream']>): Promise<void> {
  response.flushHeaders();
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const draining = drainingOf(response.socket);
  try {
    for await (const part of stream(draining === undefined ? gone.signal : AbortSignal.any([gone.signal, draining]))) {
      if (gone.signal.aborted) break;
      if (!response.write(part))
        await once(response, 'drain', { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(READING_LIMIT_MS)]) });
    }
    response.end();
  } catch {
    // Also reached when the caller stopped reading. A truncated response must not look complete.
    response.destroy();
  }
}

/** Writes an error as the whole response, and removes headers that were set before. @param page sent in place of the error body */
export function sendError(response: ServerResponse, error: ServiceError, page?: Reply): void {
  for (const name of response.getHeaderNames()) if (!KEPT.has(name)) response.removeHeader(name);
  if (page === undefined) sendReply(response, errorReply(error));
  else sendReply(response, { ...page, status: error.status, headers: { ...errorHeaders(error), ...page.headers } });
}

/** Returns an error in the format of every endpoint: `{error: {code, message, errors?}}` and nothing else. */
function errorReply(error: ServiceError): Reply {
  const { code, status } = error;
  const message = hideKeys(error.message);
  const details = error.details.map(withoutKeys);
  return {
    status,
    headers: errorHeaders(error),
    body: { error: { code, message, ...(details.length > 0 && { errors: details }) } },
  };
}

/**
 * Hides API keys and session tokens in a detail: messages and paths repeat what the caller sent, which may be a key that was
 * pasted into the wrong place.
 */
function withoutKeys({ code, message, path }: ErrorDetail): ErrorDetail {
  return { code, message: hideKeys(message), path: path.map(hideKeys) };
}

/**
 * Returns the same response as text, for a socket that has no response object (an unreadable request, a refused upgrade).
 *
 * @param added names and values in turn
 */
export function errorText(error: ServiceError, requestId: string, added: readonly string[] = []): string {
  const body = JSON.stringify(errorReply(error).body);
  const headers = {
    ...SECURITY_HEADERS,
    ...errorHeaders(error),
    [REQUEST_ID_HEADER]: requestId,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('')}${headerLines(added)}\r\n${body}`;
}

function headerLines(headers: readonly string[]): string {
  return headers.map((part, index) => (index % 2 === 0 ? `${part}: ` : `${part}\r\n`)).join('');
}

/** @param headers names and values in turn */
export function setHeaders(response: ServerResponse, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2) response.setHeader(headers[index] ?? '', headers[index + 1] ?? '');
}

export const JSON_TYPE = 'application/json; charset=utf-8';

function encode(reply: Reply): { readonly body: string | Uint8Array | undefined; readonly type: string | undefined } {
  const { body, type } = reply;
  if (body === undefined) return { body, type };
  if (type === undefined) return { body: JSON.stringify(body), type: JSON_TYPE };
  if (typeof body === 'string' || body instanceof Uint8Array) return { body, type };
  throw new TypeError(`a body of type ${type} must be text or bytes`);
}

function errorHeaders(error: ServiceError): Record<string, string> {
  const waitSeconds = error.retryAfterSeconds ?? (error.status === 503 ? USUAL_WAIT_SECONDS : undefined);
  return {
    // Behind /proxy this distinguishes errors of the service from the provider's.
    'svc-error': error.code,
    ...(waitSeconds !== undefined && { 'retry-after': String(Math.ceil(waitSeconds)) }),
    // RFC 9110 §11.6.1: a 401 names the scheme.
    ...(error.status === 401 && { 'www-authenticate': 'Bearer' }),
    // RFC 9110 §15.5.6. Only routes with fixed methods set `allow`; the others are streams, which refuse TRACE and CONNECT.
    ...(error.status === 405 && { allow: error.allow ?? 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT' }),
    // RFC 9110 §15.5.9: the network connection of a caller that was too slow is closed.
    ...(error.status === 408 && { connection: 'close' }),
  };
}

/** Destroys the stream after a time, unless it closes before. */
export function destroyAfter(stream: Duplex | ServerResponse, milliseconds: number): void {
  const timer = setTimeout(() => stream.destroy(), milliseconds);
  timer.unref();
  stream.once('close', () => clearTimeout(timer));
}
