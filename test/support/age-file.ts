import { createCipheriv, createHmac, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { decryptAge } from '../../core/kit/age-file.ts';

const VERSION = 'age-encryption.org/v1';
const CHUNK_BYTES = 64 * 1024;
/** The base-2 logarithm of the scrypt cost. The service's exports use 17, which takes half a second to create or open a file. */
const WORK_FACTOR = 10;

/** Creates a file in the age format (https://c2sp.org/age) that opens quickly. It does not use the code of the service. */
export function quickAgeFile(plain: Buffer, secret: string): Buffer {
  const [fileKey, salt, nonce] = [randomBytes(16), randomBytes(16), randomBytes(16)];
  const labelled = Buffer.concat([Buffer.from(`${VERSION}/scrypt`), salt]);
  const wrapped = sealed(scryptSync(secret, labelled, 32, { N: 2 ** WORK_FACTOR, r: 8, p: 1 }), Buffer.alloc(12), fileKey);
  const head = `${VERSION}\n-> scrypt ${unpadded(salt)} ${WORK_FACTOR}\n${unpadded(wrapped)}\n---`;
  const mac = createHmac('sha256', derived(fileKey, '', 'header'))
    .update(head)
    .digest();
  const key = derived(fileKey, nonce, 'payload');
  const last = Math.max(0, Math.ceil(plain.length / CHUNK_BYTES) - 1);
  const chunks = Array.from({ length: last + 1 }, (_, index) => {
    const counter = Buffer.alloc(12);
    counter.writeUInt32BE(index, 7);
    counter.writeUInt8(index === last ? 1 : 0, 11);
    return sealed(key, counter, plain.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES));
  });
  return Buffer.concat([Buffer.from(`${head} ${unpadded(mac)}\n`), nonce, ...chunks]);
}

/** Decrypts a file with the code of the service and returns its text. */
export function readAgeFile(path: string, secret: string): Promise<string> {
  return text(decryptAge(createReadStream(path), secret));
}

function sealed(key: Buffer, nonce: Buffer, plain: Buffer): Buffer {
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function derived(key: Buffer, salt: Buffer | string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, purpose, 32));
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
