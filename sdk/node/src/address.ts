type Value = string | number | boolean;

/** Query parameters: a list becomes a repeated parameter, an object becomes parameters of the form `name[key]=value`. */
export type QueryValues = Readonly<Record<string, Value | readonly Value[] | Readonly<Record<string, Value>> | undefined>>;

/**
 * Returns the path of an operation with its parameters filled in, followed by the query.
 *
 * @throws TypeError for a parameter that cannot be part of a path: URLs drop `.` and `..`
 */
export function addressOf(template: string, path: Readonly<Record<string, Value>>, query: QueryValues): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, path[name]));
  const search = queryOf(query);
  return search === '' ? filled : `${filled}?${search}`;
}

/** Returns the query string without the question mark. */
export function queryOf(query: QueryValues): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const [key, one] of entriesOf(name, value)) search.append(key, String(one));
  }
  return search.toString();
}

function segment(name: string, value: Value | undefined): string {
  const text = String(value ?? '');
  if (['', '.', '..'].includes(text)) throw new TypeError(`${name} cannot be "${text}"`);
  return encodeURIComponent(text);
}

function entriesOf(name: string, value: QueryValues[string]): (readonly [string, Value])[] {
  if (value === undefined) return [];
  if (isList(value)) return value.map((one) => [name, one] as const);
  if (typeof value !== 'object') return [[name, value]];
  return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, one] as const);
}

function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}
