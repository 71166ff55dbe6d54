/**
 * Escapes text for `like`: `%` and `_` match more than themselves, and the backslash makes them plain (Postgres documentation,
 * "LIKE").
 */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
