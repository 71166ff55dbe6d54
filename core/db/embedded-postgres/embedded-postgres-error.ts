/**
 * The error when the embedded database cannot be used. The message is for the person at the terminal: it says what is wrong, then
 * what to do.
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
