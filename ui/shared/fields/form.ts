import { compilePattern } from '../../../core/contract/compile-pattern.ts';
import { faultOf, maxCharacters } from '../../../core/contract/field-rules.ts';
import type { Field, FieldPath, WireFault } from '../wire.ts';
import { tidy } from './tidy.ts';

/** What was typed, by `keyOf` the field. */
export type Values = Readonly<Record<string, string>>;

export type FaultCode = 'required' | 'invalid_format' | 'invalid_value' | 'too_big';

export interface Fault {
  readonly code: FaultCode;
  /** Of the service; the window has its own words for the codes. */
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
  // What the form does not ask for was decided by the backend, which also decided what to ask for.
  return !Object.hasOwn(values, key) || values[key] === condition.equals;
}

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

/** Whether the value is allowed, but looks unusual. */
export function isUnusual(field: Field, values: Values): boolean {
  const { value } = tidy(field, values[keyOf(field.path)] ?? '');
  if (field.hint === undefined || value === '') return false;
  return !compilePattern(field.hint).test(value.slice(0, maxCharacters({ pattern: field.hint })));
}

/** The body of a flow: what is shown and filled in, by group. */
export function payloadOf(fields: readonly Field[], values: Values): Record<FieldPath[0], Record<string, string>> {
  const entries = (group: FieldPath[0]) =>
    fields
      .filter((field) => field.path[0] === group && isVisible(field, values))
      .map((field) => [field.path[1], tidy(field, values[keyOf(field.path)] ?? '').value] as const)
      .filter(([, value]) => value !== '');
  return { params: Object.fromEntries(entries('params')), credentials: Object.fromEntries(entries('credentials')) };
}

/** Faults that the service found, at the fields of the form. */
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

/** Without what is secret. */
export function withoutSecrets(fields: readonly Field[], values: Values): Values {
  const secret = new Set(fields.filter((field) => field.secret).map((field) => keyOf(field.path)));
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, secret.has(key) ? '' : value]));
}

/** Whether somebody has typed anything that would be lost. */
export function isTyped(fields: readonly Field[], values: Values): boolean {
  const initial = initialValues(fields);
  return fields.some(({ path }) => (values[keyOf(path)] ?? '') !== initial[keyOf(path)]);
}
