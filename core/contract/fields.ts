import type { JsonObject } from './context.ts';
import { faultOf, isRequired, isVisible, maxCharacters, type ValueFault } from './field-rules.ts';
import type { FormField } from './form-field.ts';

type Fields = Readonly<Record<string, FormField>>;

/** An invalid value, as an item of `error.errors`. The message never repeats the value. */
export interface FieldFault {
  readonly code: ValueFault | 'required' | 'invalid_type' | 'unrecognized_key';
  readonly message: string;
  readonly path: readonly string[];
}

/**
 * Checks values against a definition's form fields (`connection_config`, `credentials`, `integration_config`). Called when the
 * values are set, and again before they become part of a host.
 *
 * @param options.allowUnknown true for stored values, which include values found during authorization
 */
export function checkFields(
  fields: Fields | undefined,
  values: JsonObject,
  options: { allowUnknown?: boolean } = {},
): FieldFault[] {
  const declared = fields ?? {};
  const unknown = options.allowUnknown ? [] : Object.keys(values).filter((name) => !Object.hasOwn(declared, name));
  return [
    ...unknown.map((name) => fault('unrecognized_key', name, `"${name}" is not a field of this provider`)),
    ...Object.entries(declared).flatMap(([name, field]) => checkField(name, field, { declared, values })),
  ];
}

/** Returns the values, with the `default_value` of each visible field that has no value; empty values are left out. */
export function withDefaults(fields: Fields | undefined, values: JsonObject): JsonObject {
  const defaults = Object.entries(fields ?? {}).flatMap(([name, field]) =>
    field.default_value === undefined || !isVisible(field, values) ? [] : [[name, field.default_value] as const],
  );
  const given = Object.entries(values).filter(([, value]) => value !== '' && value !== null);
  return Object.fromEntries([...defaults, ...given]);
}

function checkField(
  name: string,
  field: FormField,
  { declared, values }: { declared: Fields; values: JsonObject },
): FieldFault[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined || value === '' || value === null) {
    return isRequired(field, withDefaults(declared, values)) ? [fault('required', name, `${field.title} is required`)] : [];
  }
  if (typeof value !== 'string') return [fault('invalid_type', name, `${field.title} must be a string`)];
  const code = faultOf(field, value);
  return code === undefined ? [] : [fault(code, name, messageOf(code, field))];
}

function messageOf(code: ValueFault, field: FormField): string {
  if (code === 'too_big') return `${field.title} is longer than ${maxCharacters(field)} characters`;
  if (code === 'invalid_value') return `${field.title} must be one of: ${field.enum?.join(', ')}`;
  if (field.pattern_message !== undefined) return field.pattern_message;
  return `${field.title} has the wrong format.${field.example === undefined ? '' : ` Example: ${field.example}`}`;
}

function fault(code: FieldFault['code'], name: string, message: string): FieldFault {
  return { code, message, path: [name] };
}
