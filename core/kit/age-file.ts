import { errorCode } from './error-code.ts';

/** Logarithm of scrypt's cost: 2^17 takes a second and 128 MB. The library opens files that ask for up to eight times as much. */
const WORK_FACTOR = 17;
const NO_AGE_FILE = 'this is not a file that was encrypted with a passphrase (age-encryption.org/v1)';
const CHANGED = 'the file was changed or cut off since it was made';
/** By the messages of the library (age-encryption 0.3.1: dist/index.js, dist/recipients.js). */
const HEADER_FAULTS: Readonly<Record<string, string>> = {
  'scrypt work factor is too high': 'the file asks for too much work to derive its key',
  "no identity matched any of the file's recipients": 'the file does not open with this key',
  'invalid header HMAC': CHANGED,
};

/** Loaded by the commands that need it. */
const library = () => import('age-encryption');

/** A file that was not made with this secret, or was changed or cut off since. */
export class AgeFileError extends Error {
  override readonly name = 'AgeFileError';
}

/**
 * Encrypts a stream in the format `age-encryption.org/v1` with a passphrase (its `scrypt` recipient). A change, an exchange of
 * chunks and a missing end are all noticed, memory is one chunk of 64 KiB, and the tools of that format open the file, too.
 *
 * Source: https://c2sp.org/age
 */
export async function* encryptAge(plain: AsyncIterable<Buffer>, secret: string): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await library();
  const encrypter = new Encrypter();
  encrypter.setPassphrase(secret);
  encrypter.setScryptWorkFactor(WORK_FACTOR);
  yield* await encrypter.encrypt(ReadableStream.from(plain));
}

/** @throws AgeFileError, also after some of the content: what was read is only known to be whole at the end */
export async function* decryptAge(file: AsyncIterable<Buffer>, secret: string): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await library();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(secret);
  let text = (message: string) => HEADER_FAULTS[message] ?? NO_AGE_FILE;
  try {
    const content = await decrypter.decrypt(ReadableStream.from(file));
    text = () => CHANGED;
    yield* content;
  } catch (cause) {
    // The file could not be read.
    if (!(cause instanceof Error) || errorCode(cause) !== undefined) throw cause;
    throw new AgeFileError(text(cause.message), { cause });
  }
}
