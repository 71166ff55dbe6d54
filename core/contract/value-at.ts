/**
 * Reads a nested member such as `authed_user.access_token` or `sites.0.url` from a parsed answer or payload of any shape.
 *
 * @returns undefined when any step is missing; inherited and hidden members (`constructor`, `length`) do not count
 */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce(memberOf, value);
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.prototype.propertyIsEnumerable.call(value, name) ? Reflect.get(value, name) : undefined;
}
