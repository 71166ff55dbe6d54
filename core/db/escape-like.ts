/** Escapes `%`, `_` and the backslash in a text, so that `like` matches them literally (Postgres documentation, "LIKE"). */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&');
}
