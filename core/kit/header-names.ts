/**
 * Returns headers by lower-case name. If two names differ only in case, the later header is kept; lists of values are joined by
 * commas.
 */
export function withLowerCaseNames(
  headers: Iterable<readonly [string, string | readonly string[] | undefined]>,
): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]));
}
