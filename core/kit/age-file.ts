import { errorCode } from './error-code.ts';

/**
 * Base-2 logarithm of scrypt's cost: 2^17 takes a second and 128 MB. For decryption, the library accepts up to eight times as
 * much.
 */
const WORK_FACTOR = 17;
const NO_AGE_FILE = 'this is not a file that was encrypted with a passphrase (age-encryption.org/v1)';
const CHANGED = 'the file was changed or truncated after it was written';
/**
 * Explanations of faults in a file's header, by the error messages of the library (age-encryption 0.3.1: dist/index.js,
 * dist/recipients.js).
 */
const HEADER_FAULTS: Readonly<Record<string, string>> = {
  'scrypt work factor is too high': 'the scrypt work factor of the file is too high',
  "no identity matched any of the file's recipients": 'the file does not open with this key',
  'invalid header HMAC': CHANGED,
};

/** Imports the library only when this is called, so that other commands need not load it. */
const library = () => import('age-encryption');

/** The error for a file that was not encrypted with this secret, or was changed or truncated since. */
export class AgeFileError extends Error {
  override readonly name = 'AgeFileError';
}

/**
 * Encrypts a stream in the format `age-encryption.org/v1` with a passphrase (its `scrypt` recipient). Decryption detects changes,
 * reordered chunks and a missing end. Memory use is one chunk of 64 KiB. Other tools for the format can open the file, too.
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

/**
 * Decrypts what `encryptAge` has encrypted.
 *
 * @throws AgeFileError, possibly after part of the content was yielded, since only at the end is it certain that the content is
 *   complete
 */
export async function* decryptAge(file: AsyncIterable<Buffer>, secret: string): AsyncGenerator<Uint8Array> {
  const { Decrypter } = await library();
  const decrypter = new Decrypter();
  decrypter.addPassphrase(secret);
  const content = await decrypter.decrypt(ReadableStream.from(file)).catch((cause: unknown) => {
    throw ageFault(cause, (message) => HEADER_FAULTS[message] ?? NO_AGE_FILE);
  });
  try {
    yield* content;
  } catch (cause) {
    throw ageFault(cause, () => CHANGED);
  }
}

/**
 * Returns the error for a fault of the file's content. An error with a code means that the file could not be read, and is
 * returned unchanged.
 */
function ageFault(cause: unknown, textOf: (message: string) => string): unknown {
  if (!(cause instanceof Error) || errorCode(cause) !== undefined) return cause;
  return new AgeFileError(textOf(cause.message), { cause });
}
