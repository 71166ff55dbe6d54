import { ExactNumber } from './exact-json.ts';

/**
 * Returns JSON with the properties of each object sorted by name and each number in its canonical spelling, so that equal values
 * have equal texts.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    if ('rawJSON' in member && JSON.isRawJSON?.(member)) return JSON.rawJSON?.(new ExactNumber(String(member.rawJSON)).canonical);
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
