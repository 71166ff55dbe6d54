import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type Dispatcher, request as exchange } from 'undici';
import { orAborted } from './or-aborted.ts';
import { addressNotAllowed, gaveUp, OutboundError, toOutboundError } from './outbound-error.ts';

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
  /** For the whole exchange, from name look-up to the last byte. Default 20,000. */
  readonly timeoutMs?: number;
  /** Of the answer's body, before and after decoding, beyond which the call fails. Default 1 MiB. */
  readonly maxBytes?: number;
  /** What happens with an answer larger than that: it fails the call (default), or is cut there and left undecoded. */
  readonly beyond?: 'fail' | 'cut';
  /** Gives the call up: code `timeout`. */
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded, should the server compress it although we ask it not to. */
  readonly body: Buffer;
}

interface CallDeps {
  readonly dispatcher: Dispatcher;
  readonly check: (url: URL) => void;
}

/** One exchange, bounded in time and bytes, no redirect followed. @throws OutboundError */
export async function boundedCall(deps: CallDeps, address: URL | string, request: OutboundRequest = {}): Promise<OutboundAnswer> {
  const url = URL.parse(String(address));
  if (url === null) throw addressNotAllowed();
  deps.check(url);

  const deadline = AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const signal = request.signal === undefined ? deadline : AbortSignal.any([deadline, request.signal]);
  try {
    // undici heeds the signal only once it is connected; name look-up and dialling must not outlast the deadline either.
    return await orAborted(signal, callOnce({ dispatcher: deps.dispatcher, signal }, url, request));
  } catch (error) {
    throw signal.aborted ? gaveUp() : toOutboundError(error);
  }
}

interface Exchange {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal;
}

async function callOnce({ dispatcher, signal }: Exchange, url: URL, request: OutboundRequest): Promise<OutboundAnswer> {
  const { method = 'GET', body = null, maxBytes = DEFAULT_MAX_BYTES, beyond = 'fail' } = request;
  const headers = { 'accept-encoding': 'identity', ...withLowerCaseNames(request.headers ?? {}) };
  // The signal is the only clock: it covers the silence before the headers and within the body.
  const timers = { headersTimeout: 0, bodyTimeout: 0 };
  const answer = await exchange(url, { dispatcher, signal, method, headers, body, ...timers });

  const { status, headers: answered } = { status: answer.statusCode, headers: joined(answer.headers) };
  if (beyond === 'cut') return { status, headers: answered, body: await readStart(answer.body, maxBytes) };
  const bytes = await readBounded(answer.body, maxBytes);
  const { 'content-encoding': encoding, ...otherHeaders } = answered;
  return { status, headers: otherHeaders, body: await decode(bytes, encoding, maxBytes) };
}

async function readBounded(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const bytes = await readStart(body, maxBytes + 1);
  if (bytes.length > maxBytes) throw new OutboundError('too_large', `the answer is larger than ${maxBytes} bytes`);
  return bytes;
}

/** No more than `maxBytes`: leaving the loop ends the connection. */
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

/** One layer only, and never more than the limit: nested or highly compressed answers are bombs, not tokens. */
async function decode(bytes: Buffer, encoding: string | undefined, maxOutputLength: number): Promise<Buffer> {
  if (bytes.length === 0 || encoding === undefined || encoding.toLowerCase() === 'identity') return bytes;
  const decoder = DECODERS.get(encoding.toLowerCase());
  if (decoder === undefined) throw new OutboundError('unreachable', 'no usable answer: unknown content encoding');
  return await decoder(bytes, { maxOutputLength });
}

function withLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')]));
}
