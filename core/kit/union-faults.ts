import type * as z from 'zod';

/** Options for parsing: a fault of a value that fits no member of a union says what would fit. Zod itself says "Invalid input". */
export const NAMING_ALTERNATIVES = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'invalid_union' && issue.errors.length > 0 ? alternatives(issue.errors) : undefined,
};

/** If the value has the form of some members, only their faults are of interest. */
function alternatives(members: readonly (readonly z.core.$ZodIssue[])[]): string {
  const inside = members.flatMap((issues) => issues.filter(({ path }) => path.length > 0).slice(0, 1));
  if (inside.length > 0) return inside.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; or ');
  const phrases = [...new Set(members.flatMap((issues) => issues.slice(0, 1).map(phrase)))];
  const last = phrases.pop() ?? '';
  return `must be ${phrases.length === 0 ? last : `${phrases.join(', ')} or ${last}`}`;
}

function phrase(issue: z.core.$ZodIssue): string {
  const own = /^must be (.+)$/s.exec(issue.message)?.[1];
  if (own !== undefined) return own;
  if (issue.code === 'invalid_value') return issue.values.map((value) => JSON.stringify(value)).join(', ');
  if (issue.code === 'invalid_type') return `${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
  return issue.message;
}
