/**
 * Reads a nested field such as `authed_user.access_token` or `sites.0.url` of any JSON value.
 *
 * @returns undefined if any step is missing; inherited and non-enumerable properties (`constructor`, `length`) are ignored
 */
export function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce(propertyOf, value);
}

function propertyOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.prototype.propertyIsEnumerable.call(value, name) ? Reflect.get(value, name) : undefined;
}
