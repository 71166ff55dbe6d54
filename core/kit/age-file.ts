import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  type ScryptOptions,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';

const deriveScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const VERSION = 'age-encryption.org/v1';
const CIPHER = 'chacha20-poly1305';
const KEY_BYTES = 32;
const FILE_KEY_BYTES = 16;
const SALT_BYTES = 16;
const PAYLOAD_NONCE_BYTES = 16;
const TAG_BYTES = 16;
const CHUNK_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 1024;
/** Logarithm of scrypt's cost: 2^17 takes half a second and 128 MB. A file may ask for eight times as much. */
const WORK_FACTOR = 17;
const MAX_WORK_FACTOR = 20;
const HEADER = new RegExp(
  `^(${VERSION}\\n-> scrypt ([A-Za-z0-9+/]{22}) ([1-9][0-9]?)\\n([A-Za-z0-9+/]{43})\\n---) ([A-Za-z0-9+/]{43})\\n`,
);

/** A file that was not made with this secret, or was changed or cut off since. */
export class AgeFileError extends Error {
  override readonly name = 'AgeFileError';
}

/**
 * Encrypts a stream in the format `age-encryption.org/v1` with a passphrase (its `scrypt` recipient): scrypt and ChaCha20-Poly1305
 * wrap a random key, by which the payload is encrypted in chunks of 64 KiB, numbered, the last one marked as such. So a change, an
 * exchange of chunks and a missing end are all noticed, memory is one chunk, and the tools of that format open the file, too.
 *
 * Source: https://c2sp.org/age
 */
export async function* encryptAge(plain: AsyncIterable<Buffer>, secret: string): AsyncGenerator<Buffer> {
  const fileKey = randomBytes(FILE_KEY_BYTES);
  const salt = randomBytes(SALT_BYTES);
  const wrapped = seal(await wrappingKey(secret, salt, WORK_FACTOR), Buffer.alloc(12), fileKey);
  const head = `${VERSION}\n-> scrypt ${unpadded(salt)} ${WORK_FACTOR}\n${unpadded(wrapped)}\n---`;
  const nonce = randomBytes(PAYLOAD_NONCE_BYTES);
  yield Buffer.concat([Buffer.from(`${head} ${unpadded(headerMac(fileKey, head))}\n`, 'latin1'), nonce]);

  const key = derive(fileKey, nonce, 'payload');
  for await (const { chunk, counter, isLast } of chunksOf(plain, CHUNK_BYTES))
    yield seal(key, chunkNonce(counter, isLast), chunk);
}

/** @throws AgeFileError, also after some of the content: what was read is only known to be whole at the end */
export async function* decryptAge(file: AsyncIterable<Buffer>, secret: string): AsyncGenerator<Buffer> {
  const source = new ByteSource(file);
  const [header, mac] = await readHeader(source);
  if (header.workFactor > MAX_WORK_FACTOR) throw new AgeFileError('the file asks for too much work to derive its key');
  const wrappingKeyBytes = await wrappingKey(secret, header.salt, header.workFactor);
  const fileKey = open(wrappingKeyBytes, Buffer.alloc(12), header.wrapped);
  if (fileKey === undefined) throw new AgeFileError('the file does not open with this key');
  if (!timingSafeEqual(headerMac(fileKey, header.text), mac)) throw changed();
  const nonce = await source.take(PAYLOAD_NONCE_BYTES);
  if (nonce.length < PAYLOAD_NONCE_BYTES) throw changed();
  const key = derive(fileKey, nonce, 'payload');
  for await (const { chunk, counter, isLast } of chunksOf(source.rest(), CHUNK_BYTES + TAG_BYTES)) {
    const plain = open(key, chunkNonce(counter, isLast), chunk);
    // Only an empty content has an empty chunk: anything else would allow two forms of one file.
    if (plain === undefined || (plain.length === 0 && counter > 0)) throw changed();
    yield plain;
  }
}

interface AgeHeader {
  /** As it is authenticated. */
  readonly text: string;
  readonly salt: Buffer;
  readonly workFactor: number;
  readonly wrapped: Buffer;
}

async function readHeader(source: ByteSource): Promise<[AgeHeader, Buffer]> {
  const begin = (await source.peek(MAX_HEADER_BYTES)).toString('latin1');
  const [whole, text, salt, workFactor, wrapped, mac] = HEADER.exec(begin) ?? [];
  if (!whole || !text || !salt || !wrapped || !mac)
    throw new AgeFileError('this is not a file that was encrypted with a passphrase (age-encryption.org/v1)');
  await source.take(whole.length);
  const bytes = (encoded: string) => Buffer.from(encoded, 'base64');
  return [{ text, salt: bytes(salt), workFactor: Number(workFactor), wrapped: bytes(wrapped) }, bytes(mac)];
}

function wrappingKey(secret: string, salt: Buffer, workFactor: number): Promise<Buffer> {
  const [N, r] = [2 ** workFactor, 8];
  const labelled = Buffer.concat([Buffer.from(`${VERSION}/scrypt`), salt]);
  return deriveScrypt(secret, labelled, KEY_BYTES, { N, r, p: 1, maxmem: 129 * N * r + 1024 * 1024 });
}

function headerMac(fileKey: Buffer, head: string): Buffer {
  return createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(head, 'latin1')
    .digest();
}

function derive(fileKey: Buffer, salt: Buffer, purpose: 'header' | 'payload'): Buffer {
  return Buffer.from(hkdfSync('sha256', fileKey, salt, purpose, KEY_BYTES));
}

/** 11 bytes of the chunk's number and one that says whether it is the last. */
function chunkNonce(counter: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(counter, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function seal(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer | undefined {
  if (sealed.length < TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}

interface Chunk {
  readonly chunk: Buffer;
  readonly counter: number;
  readonly isLast: boolean;
}

/** Pieces of this size, the last one shorter; one empty piece when there is nothing. */
async function* chunksOf(bytes: AsyncIterable<Buffer>, size: number): AsyncGenerator<Chunk> {
  const source = new ByteSource(bytes);
  for (let counter = 0; ; counter += 1) {
    const chunk = await source.take(size);
    const isLast = (await source.peek(1)).length === 0;
    yield { chunk, counter, isLast };
    if (isLast) return;
  }
}

/** Bytes in the sizes that a reader wants. */
class ByteSource {
  readonly #iterator: AsyncIterator<Buffer>;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(bytes: AsyncIterable<Buffer>) {
    this.#iterator = bytes[Symbol.asyncIterator]();
  }

  /** So many, or all that are left. */
  async peek(size: number): Promise<Buffer> {
    while (this.#length < size) {
      const { value, done } = await this.#iterator.next();
      if (done) break;
      this.#pieces.push(value);
      this.#length += value.length;
    }
    const all = this.#pieces.length === 1 ? this.#pieces[0] : undefined;
    const joined = all ?? Buffer.concat(this.#pieces);
    this.#pieces = [joined];
    return joined.subarray(0, size);
  }

  async take(size: number): Promise<Buffer> {
    const taken = await this.peek(size);
    const [joined = Buffer.alloc(0)] = this.#pieces;
    this.#pieces = [joined.subarray(taken.length)];
    this.#length -= taken.length;
    return taken;
  }

  async *rest(): AsyncGenerator<Buffer> {
    for (let piece = await this.take(CHUNK_BYTES); piece.length > 0; piece = await this.take(CHUNK_BYTES)) yield piece;
  }
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

function changed(): AgeFileError {
  return new AgeFileError('the file was changed or cut off since it was made');
}
