import { ExactNumber } from '../kit/exact-json.ts';

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

/**
 * Reads a name or an ID out of a payload of any shape.
 *
 * @param path names and indexes, e.g. `issue.self` or `events.0.id`; inherited and non-enumerable properties are ignored
 * @returns a non-empty string, or an integer as the string of its digits (IDs of providers are either); undefined for anything else
 */
export function textAt(payload: unknown, path: string): string | undefined {
  const found = valueAt(payload, path);
  if (typeof found === 'string' && found !== '') return found;
  const isInteger = found instanceof ExactNumber ? found.isInteger : Number.isSafeInteger(found);
  return isInteger ? String(found) : undefined;
}
