import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '#contract';

export const FACTS_FILE = 'facts.json';
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * When the facts of a provider were last compared with its documentation: `checked` of `facts.json`. Nothing but what is shown as
 * proof depends on that file, so one that cannot be understood is none; `test/contract` reads those that come with the service.
 */
export function readChecked(directory: string): string | undefined {
  try {
    const facts: unknown = JSON.parse(readFileSync(join(directory, FACTS_FILE), 'utf8'));
    const checked = isObject(facts) ? facts['checked'] : undefined;
    return typeof checked === 'string' && DATE.test(checked) ? checked : undefined;
  } catch {
    return undefined;
  }
}
