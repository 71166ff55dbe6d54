/**
 * Reads a nested member such as `authed_user.access_token` or `sites.0.url` from a parsed answer.
 *
 * @returns undefined when any step is missing; inherited members (`constructor`, `length` of a string) do not count
 */
export function readPath(value: unknown, path: string): unknown {
  let current = value;
  for (const name of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = Reflect.get(current, name);
  }
  return current;
}
