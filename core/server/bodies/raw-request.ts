import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ServiceError } from '../../errors.ts';
import { hasBody } from '../../kit/early-response.ts';
import type { RawBody, RawRequest } from '../route.ts';
import { type BodyLimits, collectBody, readBody } from './read-body.ts';

const CHUNK_BYTES = 64 * 1024;
/** The supported content codings (RFC 9110 §8.4.1). */
const CODINGS: Readonly<Record<string, (bytes: Buffer) => Transform>> = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  'x-gzip': () => createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: (bytes) => (hasZlibHeader(bytes) ? createInflate : createInflateRaw)({ chunkSize: CHUNK_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
};

/** Wraps a request as received, for a route that accepts any bytes. */
export function rawRequest(request: IncomingMessage, limits: BodyLimits): RawRequest {
  const { method = '', url = '' } = request;
  return {
    method,
    target: targetOf(url),
    headers: joinedHeaders(request),
    readBody: () => readWhole(request, limits),
    markVerified: () => limits.room.markVerified(),
  };
}

/** Reads the body. The limit applies to the compressed bytes as they are read, and to the result of decompressing them. */
async function readWhole(request: IncomingMessage, limits: BodyLimits): Promise<RawBody> {
  const open = unpackerFor(request.headers['content-encoding']);
  const bytes = hasBody(request) ? await readBody(request, limits) : Buffer.alloc(0);
  return open === undefined ? { bytes } : { bytes: await unpack(bytes, open, limits), packed: bytes };
}

/** Joins repeated headers. Node's own `headers` keeps only the first value of some headers, which would hide the repetition. */
function joinedHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, values?.join(', ') ?? '']));
}

/** Returns the path and query of a target. RFC 9112 §3.2.2: a server must also accept a target that is a whole URL. */
function targetOf(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
}

/**
 * Returns the decompressor for a body's `Content-Encoding`. More than one coding is refused: each could multiply the size of the
 * previous one's output.
 *
 * @returns undefined when the body is not compressed
 * @throws ServiceError `invalid_content_type` for anything other than gzip, deflate or br
 */
function unpackerFor(contentEncoding: string | undefined): ((bytes: Buffer) => Transform) | undefined {
  const coding = contentEncoding?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return undefined;
  const open = Object.hasOwn(CODINGS, coding) ? CODINGS[coding] : undefined;
  if (open !== undefined) return open;
  throw new ServiceError('invalid_content_type', 'send the body without "Content-Encoding", or with one of gzip, deflate and br');
}

/**
 * Decompresses a body. It stops at the first byte beyond the limit, however much would follow.
 *
 * @throws ServiceError `invalid_body` when the bytes are malformed or truncated; as `collectBody`
 */
async function unpack(bytes: Buffer, open: (bytes: Buffer) => Transform, limits: BodyLimits): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  const plain = open(bytes);
  try {
    plain.end(bytes);
    return await collectBody(plain, limits);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('invalid_body', 'the body cannot be decompressed with its "Content-Encoding"', { cause });
  } finally {
    plain.destroy();
  }
}

/** Returns whether the bytes have a zlib header (RFC 1950 §2.2): some senders leave it out of "deflate" (RFC 9110 §8.4.1.2). */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}
