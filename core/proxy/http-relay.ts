import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeIfEarly, hasBody } from '../kit/early-response.ts';
import type { ProxyCaller, ProxyRequest, ProxyResponse } from './message.ts';
import { readOptions } from './options.ts';
import { headerValue } from './raw-headers.ts';

const SMALL_BYTES = 16 * 1024;
const EMPTY = Buffer.alloc(0);
const PLAIN_REASON = /^[\t\x20-\x7e]*$/;

/** Reads a proxied call from an HTTP request. @throws ServiceError `invalid_headers` */
export function readProxyRequest(request: IncomingMessage, response: ServerResponse, caller: ProxyCaller): ProxyRequest {
  const { method = '', url = '', rawHeaders, headers } = request;
  const body = hasBody(request) ? request : undefined;
  const signal = disconnected(response);
  return { ...caller, method, target: url, headers: rawHeaders, body, options: readOptions(headers), signal };
}

/**
 * Sends a proxied response to the HTTP client, streaming. A response that breaks off reaches the client as a reset connection,
 * never as a clean end: a client that got no length (HTTP/1.0) could not tell the two apart.
 */
export function relay({ status, reason, headers, body }: ProxyResponse, response: ServerResponse, idleMs: number): void {
  body.on('error', () => reset(response));
  closeIfEarly(response);
  try {
    if (PLAIN_REASON.test(reason)) response.writeHead(status, reason, headers);
    else response.writeHead(status, headers);
  } catch (error) {
    // Node refused to send one of the headers.
    body.destroy(error instanceof Error ? error : undefined);
    return;
  }
  const chunk: Buffer | null = body.read();
  // Head and body are sent in one write, since a write is the largest cost of a small response. Node combines them only for
  // strings.
  if (chunk !== null && chunk.length <= SMALL_BYTES && chunk.length === Number(headerValue(headers, 'content-length'))) {
    response.end(chunk.toString('latin1'), 'latin1');
    body.resume();
    return;
  }
  if (chunk !== null) response.write(chunk);
  pump(body, response, idleMs);
  process.nextTick(flushHead, response);
}

function pump(body: ProxyResponse['body'], response: ServerResponse, idleMs: number): void {
  let deadline: NodeJS.Timeout | undefined;
  const onDrain = () => {
    clearTimeout(deadline);
    body.resume();
  };
  body.on('data', (chunk) => {
    if (response.write(chunk)) return;
    body.pause();
    // A client that does not read would occupy a network connection to the provider for ever.
    deadline = setTimeout(() => body.destroy(new Error('the client does not read')), idleMs);
    response.once('drain', onDrain);
  });
  body.once('end', () => response.end());
  body.once('close', () => clearTimeout(deadline));
}

/** Sends the head, which must not wait for a delayed body (events, slow responses). */
function flushHead(response: ServerResponse): void {
  // `flushHeaders()` is not used: it writes the head as UTF-8, where a header byte above 127 becomes two.
  if (!response.writableEnded && !response.destroyed) response.write(EMPTY);
}

function reset(response: ServerResponse): void {
  if (response.headersSent) response.socket?.resetAndDestroy();
  response.destroy();
}

function disconnected(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (response.destroyed) controller.abort();
  response.on('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
