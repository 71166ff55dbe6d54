import type { Field, FieldPath, WireFault } from '../wire.ts';

/** The typed values, by `keyOf` of the field. */
export type Values = Readonly<Record<string, string>>;

export type FaultCode = 'required' | 'invalid_format' | 'invalid_value' | 'too_big';

export interface Fault {
  readonly code: FaultCode;
  /** The service's message. For most codes, the user interface shows a text of its own instead. */
  readonly message?: string;
}

export type Faults = Readonly<Record<string, Fault>>;

export function keyOf([group, name]: FieldPath): string {
  return `${group}.${name}`;
}

export function initialValues(fields: readonly Field[]): Values {
  return Object.fromEntries(fields.map((field) => [keyOf(field.path), field.default_value ?? '']));
}

export function isVisible({ path: [group], visible_when: condition }: Field, values: Values): boolean {
  if (condition === undefined) return true;
  const key = keyOf([group, condition.field]);
  // A field that the form does not show was set by the backend, which then also decided which dependent fields the form shows.
  return !Object.hasOwn(values, key) || values[key] === condition.equals;
}

/** Returns the faults that the service found, by form field. */
export function faultsFrom(fields: readonly Field[], found: readonly WireFault[]): Faults {
  const keys = new Set(fields.map((field) => keyOf(field.path)));
  return Object.fromEntries(
    found.flatMap(({ path, code, message }) => {
      const key = path.join('.');
      return keys.has(key) ? [[key, { code: codeOf(code), message }]] : [];
    }),
  );
}

function codeOf(code: string): FaultCode {
  return code === 'required' || code === 'too_big' || code === 'invalid_value' ? code : 'invalid_format';
}

/** Returns the values with those of secret fields emptied. */
export function withoutSecrets(fields: readonly Field[], values: Values): Values {
  const secret = new Set(fields.filter((field) => field.secret).map((field) => keyOf(field.path)));
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, secret.has(key) ? '' : value]));
}

/** Returns whether the user has typed anything that would be lost. */
export function isTyped(fields: readonly Field[], values: Values): boolean {
  const initial = initialValues(fields);
  return fields.some(({ path }) => (values[keyOf(path)] ?? '') !== initial[keyOf(path)]);
}
