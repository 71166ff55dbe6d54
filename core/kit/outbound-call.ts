import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type Dispatcher, request as send } from 'undici';
import { abortable } from './abortable.ts';
import { Deadline } from './deadline.ts';
import { faultKind, faultWords } from './fault-words.ts';
import { withLowerCaseNames } from './header-names.ts';
import { httpSpan, setStatus } from './http-span.ts';
import { addressNotAllowed, gaveUp, OutboundError, toOutboundError } from './outbound-error.ts';
import { type EndedCall, tellObserver } from './outbound-observer.ts';
import { inSpan, type Span, type Tracer, traceHeaders } from './tracing.ts';

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_MAX_BYTES = 1024 * 1024;

const DECODERS = new Map([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

export interface OutboundRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Timeout of the whole exchange, from name look-up to the last byte. Default: 20,000. */
  readonly timeoutMs?: number;
  /** Maximum size of the response body, before and after decoding. Default: 1 MiB. */
  readonly maxBytes?: number;
  /** The treatment of a larger body: the call fails (default), or the body is cut at the limit and not decoded. */
  readonly beyond?: 'fail' | 'cut';
  /**
   * Set when only the status and the headers matter. The body is then read for this time at most, and dropped; its faults are
   * ignored.
   */
  readonly dropBodyAfterMs?: number;
  /** Aborts the call, which then fails with the code `timeout`. */
  readonly signal?: AbortSignal;
  /** True to send the context of the trace, if there is one (W3C Trace Context): for receivers that may know of each other's calls. */
  readonly carriesTrace?: boolean;
}

export interface OutboundResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The body; decoded if the server has compressed it, although the request asks it not to. */
  readonly body: Buffer;
}

interface Transport {
  readonly dispatcher: Dispatcher;
  readonly check: (url: URL) => void;
  readonly tracer?: Tracer | undefined;
}

/** Sends a request and reads the response, within limits of time and size; redirects are not followed. @throws OutboundError */
export async function boundedCall(
  transport: Transport,
  address: URL | string,
  request: OutboundRequest = {},
): Promise<OutboundResponse> {
  const url = URL.parse(String(address));
  if (url === null) throw addressNotAllowed();
  transport.check(url);
  const { method = 'GET' } = request;
  return inSpan(transport.tracer, httpSpan({ kind: 'client', method, origin: url }), async (span) => {
    const response = await callWithin(transport, url, carryingTrace(request, span));
    setStatus(span, response.status, { failsFrom: 400 });
    return response;
  });
}

function carryingTrace(request: OutboundRequest, { context }: Span): OutboundRequest {
  if (request.carriesTrace !== true || context === undefined) return request;
  return { ...request, headers: { ...request.headers, ...traceHeaders(context) } };
}

async function callWithin(transport: Transport, url: URL, request: OutboundRequest): Promise<OutboundResponse> {
  const beganAt = performance.now();
  const tell = (ended: Pick<EndedCall, 'result' | 'fault'>) => {
    const durationMs = Math.round(performance.now() - beganAt);
    tellObserver({ method: request.method ?? 'GET', host: url.host, ...ended, durationMs });
  };
  const exchange = { ...transport, sent: false, received: 0 };
  using deadline = new Deadline(request.timeoutMs ?? DEFAULT_TIMEOUT_MS, () => (exchange.sent ? exchange.received : undefined));
  const signal = request.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, request.signal]);
  try {
    // undici obeys the signal only once it is connected, but name look-up and dialling must not outlast the deadline either.
    const head = await abortable(signal, sendOnce({ exchange, signal }, url, request));
    const response = await readBody(head, request, signal);
    tell({ result: response.status });
    return response;
  } catch (error) {
    const fault = signal.aborted ? gaveUp({ beforeSending: !exchange.sent }) : toOutboundError(error);
    tell({ result: fault.code, fault: { kind: faultKind(fault), reason: faultWords(fault, url.host), origin: url.origin } });
    throw fault;
  }
}

/** The state of a call that is under way. */
interface CallState {
  readonly dispatcher: Dispatcher;
  /** True once the request has begun to be written. */
  sent: boolean;
  /** Number of pieces of the response that have arrived. */
  received: number;
}

interface CallBounds {
  readonly exchange: CallState;
  readonly signal: AbortSignal;
}

/** Sends the request; resolves when the head of the response has arrived. */
function sendOnce({ exchange, signal }: CallBounds, url: URL, request: OutboundRequest): Promise<Dispatcher.ResponseData> {
  const { method = 'GET', body = null } = request;
  const headers = { 'accept-encoding': 'identity', ...withLowerCaseNames(Object.entries(request.headers ?? {})) };
  // undici's timers are off: the signal alone limits the time, even while no data arrives.
  const timers = { headersTimeout: 0, bodyTimeout: 0 };
  return send(url, { dispatcher: observed(exchange), signal, method, headers, body, ...timers });
}

async function readBody(
  { statusCode: status, headers: received, body }: Dispatcher.ResponseData,
  request: OutboundRequest,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const { maxBytes = DEFAULT_MAX_BYTES, beyond = 'fail', dropBodyAfterMs } = request;
  const headers = withLowerCaseNames(Object.entries(received));
  if (dropBodyAfterMs !== undefined) {
    await dropBody(body, { maxBytes, ms: dropBodyAfterMs });
    return { status, headers, body: Buffer.alloc(0) };
  }
  if (beyond === 'cut') return { status, headers, body: await abortable(signal, readStart(body, maxBytes)) };
  return decoded({ status, headers, body: await abortable(signal, readBounded(body, maxBytes)) }, request);
}

/** Reads and drops a body, so that the network connection can be used again. Never rejects. */
async function dropBody(body: Readable, { maxBytes, ms }: { readonly maxBytes: number; readonly ms: number }): Promise<void> {
  const late = setTimeout(() => body.destroy(), ms);
  await readStart(body, maxBytes).catch(() => undefined);
  clearTimeout(late);
}

async function decoded(response: OutboundResponse, { maxBytes = DEFAULT_MAX_BYTES }: OutboundRequest): Promise<OutboundResponse> {
  const { 'content-encoding': encoding, ...headers } = response.headers;
  return { status: response.status, headers, body: await decode(response.body, encoding, maxBytes) };
}

function observed(exchange: CallState): Dispatcher {
  return exchange.dispatcher.compose((dispatch) => (options, handler) => dispatch(options, observing(exchange, handler)));
}

function observing(exchange: CallState, handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (...started) => {
      exchange.sent = true;
      handler.onRequestStart?.(...started);
    },
    onResponseStart: (...head) => {
      exchange.received += 1;
      handler.onResponseStart?.(...head);
    },
    onResponseData: (...piece) => {
      exchange.received += 1;
      handler.onResponseData?.(...piece);
    },
    onResponseEnd: (...end) => {
      exchange.received += 1;
      handler.onResponseEnd?.(...end);
    },
    onResponseError: (...fault) => handler.onResponseError?.(...fault),
  };
}

async function readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const bytes = await readStart(body, maxBytes + 1);
  if (bytes.length > maxBytes) throw new OutboundError('too_large', `the response is larger than ${maxBytes} bytes`);
  return bytes;
}

/** Reads up to `maxBytes`. If there is more, the connection is closed, because the loop destroys the body when it ends early. */
async function readStart(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes);
}

/**
 * Removes only one layer of compression, and decodes no more than the limit: no provider sends tokens in nested or extremely
 * compressed responses, only attackers do.
 */
async function decode(bytes: Buffer, encoding: string | undefined, maxOutputLength: number): Promise<Buffer> {
  if (bytes.length === 0 || encoding === undefined || encoding.toLowerCase() === 'identity') return bytes;
  const decoder = DECODERS.get(encoding.toLowerCase());
  if (decoder === undefined) throw new OutboundError('unreachable', 'no usable response: unknown content encoding');
  return await decoder(bytes, { maxOutputLength });
}
