// This module is loaded with the screen of a form, since nothing needs it earlier.
import { compilePattern } from '../../../core/contract/compile-pattern.ts';
import { faultOf, maxCharacters } from '../../../core/contract/field-rules.ts';
import type { Field, FieldPath } from '../wire.ts';
import { type Fault, type Faults, isVisible, keyOf, type Values } from './form.ts';
import { tidy } from './tidy.ts';

export function faultIn(field: Field, values: Values): Fault | undefined {
  if (!isVisible(field, values)) return undefined;
  const { value } = tidy(field, values[keyOf(field.path)] ?? '');
  if (value === '') return isRequired(field, values) ? { code: 'required' } : undefined;
  const code = faultOf(field, value);
  return code === undefined ? undefined : { code };
}

export function faultsIn(fields: readonly Field[], values: Values): Faults {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const fault = faultIn(field, values);
      return fault === undefined ? [] : [[keyOf(field.path), fault]];
    }),
  );
}

function isRequired({ path: [group], optional, optional_with: other, default_value: fallback }: Field, values: Values): boolean {
  const isReplaced = other !== undefined && (values[keyOf([group, other])] ?? '').trim() !== '';
  return optional !== true && !isReplaced && fallback === undefined;
}

/** Returns whether the value is allowed, but looks unusual. */
export function isUnusual(field: Field, values: Values): boolean {
  const { value } = tidy(field, values[keyOf(field.path)] ?? '');
  if (field.hint === undefined || value === '') return false;
  return !compilePattern(field.hint).test(value.slice(0, maxCharacters({ pattern: field.hint })));
}

/** Returns the body of a new flow: the values of fields that are visible and filled in, by group. */
export function payloadOf(fields: readonly Field[], values: Values): Record<FieldPath[0], Record<string, string>> {
  const entries = (group: FieldPath[0]) =>
    fields
      .filter((field) => field.path[0] === group && isVisible(field, values))
      .map((field) => [field.path[1], tidy(field, values[keyOf(field.path)] ?? '').value] as const)
      .filter(([, value]) => value !== '');
  return { params: Object.fromEntries(entries('params')), credentials: Object.fromEntries(entries('credentials')) };
}
