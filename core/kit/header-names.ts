/** Returns headers by lower-case name. Of two names that differ in case alone the later one counts; lists are joined by commas. */
export function withLowerCaseNames(
  headers: Iterable<readonly [string, string | readonly string[] | undefined]>,
): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]));
}
