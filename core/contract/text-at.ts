import { valueAt } from './value-at.ts';

/**
 * Reads a name or an ID out of a payload of any shape.
 *
 * @param path members and positions, e.g. `issue.self` or `events.0.id`; inherited and hidden members (`length`) do not count
 * @returns a text that is not empty, or a whole number as text (providers' IDs are either); undefined for anything else
 */
export function textAt(payload: unknown, path: string): string | undefined {
  const found = valueAt(payload, path);
  if (typeof found === 'string' && found !== '') return found;
  return Number.isSafeInteger(found) ? String(found) : undefined;
}
