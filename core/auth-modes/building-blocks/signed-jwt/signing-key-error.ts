/** Thrown for a key that cannot sign. The message completes "the key cannot be used: …" and never quotes the key. */
export class SigningKeyError extends Error {
  override readonly name = 'SigningKeyError';
}
