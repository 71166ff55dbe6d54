/** The embedded database cannot be had. The message is for the person at the terminal: what is wrong, then what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
