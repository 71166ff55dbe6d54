/** Headers in the form of Node and undici: name, value, name, value, …; with their order, case and repetition. */
export type RawHeaders = readonly string[];

/** Returns the first value of a header. @param name in lower case */
export function headerValue(headers: RawHeaders, name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2) {
    // The length is compared first, since this runs for every header of every response.
    if (headers[index]?.length === name.length && headers[index]?.toLowerCase() === name) return headers[index + 1];
  }
  return undefined;
}

/**
 * Returns the names that `Connection` lists: those headers belong to this hop only (RFC 9110 §7.6.1). Undefined when there are
 * none, which is the usual case.
 */
export function namedByConnection(headers: RawHeaders): ReadonlySet<string> | undefined {
  let named: Set<string> | undefined;
  for (let index = 0; index < headers.length; index += 2) {
    if (headers[index]?.length !== 'connection'.length || headers[index]?.toLowerCase() !== 'connection') continue;
    const value = headers[index + 1] ?? '';
    if (value === 'keep-alive' || value === 'close') continue;
    named ??= new Set();
    for (const token of value.toLowerCase().split(',')) named.add(token.trim());
  }
  return named;
}

/** Returns pairs of name and value, with names in lower case. */
export function headerPairs(headers: RawHeaders): [name: string, value: string][] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] ?? '']] : []));
}

/** Returns the values by name in lower case; the values of a repeated header are joined (RFC 9110 §5.3). */
export function joinedByName(headers: RawHeaders): Readonly<Record<string, string>> {
  const joined = new Map<string, string>();
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase();
    const value = headers[index + 1] ?? '';
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(joined);
}
