export type ReadHeaders = { readonly headers: Readonly<Record<string, string>> } | { readonly line: number };

/**
 * Parses headers, one per line: `Accept: text/csv`.
 *
 * @returns the headers, or the number of the first line that is not a header
 */
export function readHeaderLines(text: string): ReadHeaders {
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, name, value] = /^\s*([^\s:]+)\s*:(.*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return { line: index + 1 };
    headers[name] = value.trim();
  }
  return { headers };
}
