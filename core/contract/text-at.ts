import { ExactNumber } from '../kit/exact-json.ts';
import { valueAt } from './value-at.ts';

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
