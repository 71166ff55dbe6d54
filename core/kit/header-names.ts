/** Headers by their names in lower case. Of two that differ in case alone the later one counts; lists are joined. */
export function withLowerCaseNames(
  headers: Iterable<readonly [string, string | readonly string[] | undefined]>,
): Record<string, string> {
  return Object.fromEntries([...headers].map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]));
}
