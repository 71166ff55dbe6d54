import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { ServiceError } from '../../errors.ts';
import { type BodyLimits, collectBody } from './read-body.ts';

const CHUNK_BYTES = 64 * 1024;

/** RFC 9110 §8.4.1. */
const CODINGS: Readonly<Record<string, (bytes: Buffer) => Transform>> = {
  gzip: () => createGunzip({ chunkSize: CHUNK_BYTES }),
  'x-gzip': () => createGunzip({ chunkSize: CHUNK_BYTES }),
  deflate: (bytes) => (hasZlibHeader(bytes) ? createInflate : createInflateRaw)({ chunkSize: CHUNK_BYTES }),
  br: () => createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
};

/**
 * What a body's `Content-Encoding` asks for. More than one coding is refused: each may blow up what the one before left.
 *
 * @returns undefined where the body is not packed
 * @throws ServiceError `invalid_content_type` for what is not gzip, deflate or br
 */
export function unpackerFor(contentEncoding: string | undefined): ((bytes: Buffer) => Transform) | undefined {
  const coding = contentEncoding?.trim().toLowerCase() ?? '';
  if (coding === '' || coding === 'identity') return undefined;
  const open = Object.hasOwn(CODINGS, coding) ? CODINGS[coding] : undefined;
  if (open !== undefined) return open;
  throw new ServiceError('invalid_content_type', 'send the body without "Content-Encoding", or with one of gzip, deflate and br');
}

/**
 * The plain bytes. Unpacking ends at the first byte beyond the limit, however much would follow.
 *
 * @throws ServiceError `invalid_body` for what is broken or cut off; as `collectBody`
 */
export async function unpack(bytes: Buffer, open: (bytes: Buffer) => Transform, limits: BodyLimits): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  const plain = open(bytes);
  try {
    plain.end(bytes);
    return await collectBody(plain, limits);
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('invalid_body', 'the body is not packed as its "Content-Encoding" says', { cause });
  } finally {
    plain.destroy();
  }
}

/** Some senders leave it out of "deflate" (RFC 9110 §8.4.1.2). Its layout: RFC 1950 §2.2. */
function hasZlibHeader(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}
