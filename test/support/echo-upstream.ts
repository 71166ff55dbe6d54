import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type LoopbackServer, serve } from './loopback-server.ts';
import { sha256 } from './raw-http.ts';

export const BODY_TYPES = {
  text: 'text/plain; charset=utf-8',
  json: 'application/json',
  multipart: 'multipart/form-data; boundary=frontier',
  binary: 'application/octet-stream',
  events: 'text/event-stream',
} as const;

/** The response that a request asks for in its header `X-Want`. */
export interface Want {
  readonly status: number;
  readonly type: keyof typeof BODY_TYPES;
  readonly bytes: number;
  readonly framing: 'length' | 'chunked';
  readonly coding: 'identity' | 'gzip' | 'br';
}

/**
 * Starts a provider's server that responds as the request asks. Response headers report what it received (`X-Received-Sha256`,
 * `X-Received-Target`, `X-Received-Type`).
 */
export function startEchoUpstream(): Promise<LoopbackServer> {
  return serve((request, response) => void echo(request, response));
}

/** Returns a body for a request or a response. It is always the same, so that a test can compare both sides of the proxy. */
export function bodyOf({ type, bytes, coding }: Pick<Want, 'type' | 'bytes' | 'coding'>): Buffer {
  const plain = plainBody(type, bytes);
  if (coding === 'gzip') return gzipSync(plain, { level: 1 });
  if (coding === 'br') return brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
  return plain;
}

export function headersOf({ type, coding }: Pick<Want, 'type' | 'coding'>): Record<string, string> {
  return { 'content-type': BODY_TYPES[type], ...(coding !== 'identity' && { 'content-encoding': coding }) };
}

function plainBody(type: Want['type'], bytes: number): Buffer {
  if (type === 'binary') return binary(bytes);
  const patterns = {
    text: 'Grüße, 世界 \u2028\r\n',
    json: '{"a": 1.0, "b":[ 1e2,"\\u00e9" ]}\n',
    multipart: '--frontier\r\nContent-Disposition: form-data; name="f"; filename="ä.bin"\r\n\r\n\x00\x01\r\n',
    events: 'id: 1\nevent: tick\ndata: {"n":1}\n\n',
  };
  return Buffer.alloc(bytes, patterns[type]);
}

function binary(bytes: number): Buffer {
  const body = Buffer.alloc(bytes);
  for (let index = 0; index < bytes; index += 1) body[index] = (index * 167 + (index >> 8) * 13) & 0xff;
  return body;
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const want: Want = JSON.parse(String(request.headers['x-want']));
  const body = bodyOf(want);
  const length = want.framing === 'length' ? { 'content-length': body.length } : {};
  response.writeHead(want.status, {
    ...headersOf(want),
    ...length,
    'x-received-sha256': sha256(Buffer.concat(chunks)),
    'x-received-target': request.url ?? '',
    'x-received-type': request.headers['content-type'] ?? '',
  });
  const half = Math.floor(body.length / 2);
  response.write(body.subarray(0, half));
  response.end(body.subarray(half));
}
