import { isIP } from 'node:net';
import type { JsonObject } from './context.ts';
import type { FormField } from './form-field.ts';
import { compilePattern, MAX_PATTERN_CHARACTERS } from './patterns.ts';

const MAX_VALUE_CHARACTERS = 16_384;
const HOSTNAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;
// RFC 9110 §5.6.2
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/i;
/** They belong to the connection or to the proxy, or frame a message (RFC 9110 §7.6.1, RFC 9112 §6). */
const NO_SETTING_OF_A_HEADER =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|cookie|forwarded|via|proxy-.*|x-forwarded-.*|svc-.*)$/i;
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

type Fields = Readonly<Record<string, FormField>>;

/** An invalid value, as an item of `error.errors`. The message never repeats the value. */
export interface FieldFault {
  readonly code: 'required' | 'invalid_type' | 'invalid_format' | 'invalid_value' | 'too_big' | 'unrecognized_key';
  readonly message: string;
  readonly path: readonly string[];
}

/**
 * Checks values against a definition's form fields (`connection_config`, `credentials`, `integration_config`): when they are set,
 * and again before they fill a host.
 *
 * @param options.allowUnknown true for stored values, which include what was found during authorization
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

/** The values, with `default_value` for missing fields. */
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
  const limit = field.pattern === undefined ? MAX_VALUE_CHARACTERS : MAX_PATTERN_CHARACTERS;
  if (value.length > limit) return [fault('too_big', name, `${field.title} is longer than ${limit} characters`)];
  if (field.enum !== undefined && !field.enum.includes(value)) {
    return [fault('invalid_value', name, `${field.title} must be one of: ${field.enum.join(', ')}`)];
  }
  return hasForm(field, value) ? [] : [fault('invalid_format', name, formMessage(field))];
}

function isRequired(field: FormField, values: JsonObject): boolean {
  const isReplaced = field.optional_with !== undefined && Object.hasOwn(values, field.optional_with);
  const canBeAbsent = field.optional === true || isReplaced || field.automated === true || field.default_value !== undefined;
  return !canBeAbsent && isVisible(field, values);
}

function isVisible(field: FormField, values: JsonObject): boolean {
  const condition = field.visible_when;
  return condition === undefined || (Object.hasOwn(values, condition.field) && values[condition.field] === condition.equals);
}

function hasForm(field: FormField, value: string): boolean {
  if (CONTROL.test(value)) return false;
  if (field.format !== undefined && !FORMATS[field.format](value)) return false;
  return field.pattern === undefined || compilePattern(field.pattern).test(value);
}

const FORMATS: Readonly<Record<NonNullable<FormField['format']>, (value: string) => boolean>> = {
  // An IP address is no hostname; the outbound guard decides which addresses may be reached.
  hostname: (value) => HOSTNAME.test(value) && isIP(value) === 0,
  uri: isPlainUrl,
  uuid: (value) => UUID.test(value),
  email: (value) => value.length <= 254 && EMAIL.test(value),
  header_name: (value) => HEADER_NAME.test(value) && !NO_SETTING_OF_A_HEADER.test(value),
};

/** Rejects user names, fragments and schemes other than http(s): secrets are sent to this URL. */
function isPlainUrl(value: string): boolean {
  // Non-ASCII hosts may look like others; RFC 3986 §2 allows ASCII only.
  if (!/^[\x21-\x7e]*$/.test(value) || value.includes('\\')) return false;
  const url = URL.parse(value);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  return url.username === '' && url.password === '' && url.hash === '';
}

function formMessage(field: FormField): string {
  if (field.pattern_message !== undefined) return field.pattern_message;
  return `${field.title} has the wrong format.${field.example === undefined ? '' : ` Example: ${field.example}`}`;
}

function fault(code: FieldFault['code'], name: string, message: string): FieldFault {
  return { code, message, path: [name] };
}
