import { ExactNumber, parseJson } from '../../../core/kit/exact-json.ts';

export type ReadJson =
  | { readonly value: Readonly<Record<string, unknown>> }
  | { readonly fault: 'json_invalid'; readonly message: string }
  | { readonly fault: 'json_not_object' };

/** Parses a typed text, which must be a JSON object. */
export function readJsonObject(text: string): ReadJson {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return { fault: 'json_invalid', message: error instanceof Error ? error.message : '' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber)
    return { fault: 'json_not_object' };
  return { value: value as Readonly<Record<string, unknown>> };
}
