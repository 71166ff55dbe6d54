// Browsers apply these rules too: nothing here may import Node's modules.
import { compilePattern, MAX_PATTERN_CHARACTERS } from './compile-pattern.ts';
import type { FormField } from './form-field.ts';

const MAX_VALUE_CHARACTERS = 16_384;

const HOSTNAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
/** Matches an IP address, which does not count as a hostname; the outbound guard decides which addresses may be called. */
const IP_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/;
// A header name is a token (RFC 9110 §5.6.2).
const HEADER_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/i;
/**
 * Names of headers that a setting cannot choose: they belong to the connection or to the proxy, or frame a message (RFC 9110
 * §7.6.1, RFC 9112 §6).
 */
const NO_SETTING_OF_A_HEADER =
  /^(?:host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|cookie|forwarded|via|proxy-.*|x-forwarded-.*|svc-.*)$/i;
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

type Format = NonNullable<FormField['format']>;
type Values = Readonly<Record<string, unknown>>;

/** The possible faults of a value. */
export type ValueFault = 'too_big' | 'invalid_value' | 'invalid_format';

/** Returns the fault for the first rule of the field that a value breaks; undefined if there is none. */
export function faultOf(field: Pick<FormField, 'pattern' | 'format' | 'enum'>, value: string): ValueFault | undefined {
  if (value.length > maxCharacters(field)) return 'too_big';
  if (field.enum !== undefined && !field.enum.includes(value)) return 'invalid_value';
  if (CONTROL.test(value)) return 'invalid_format';
  if (field.format !== undefined && !FORMATS[field.format](value)) return 'invalid_format';
  return field.pattern === undefined || compilePattern(field.pattern).test(value) ? undefined : 'invalid_format';
}

export function maxCharacters({ pattern }: Pick<FormField, 'pattern'>): number {
  return pattern === undefined ? MAX_VALUE_CHARACTERS : MAX_PATTERN_CHARACTERS;
}

/** Returns whether a field must have a value. @param values the values of all fields, with defaults */
export function isRequired(field: FormField, values: Values): boolean {
  const isReplaced = field.optional_with !== undefined && Object.hasOwn(values, field.optional_with);
  const canBeAbsent = field.optional === true || isReplaced || field.automated === true || field.default_value !== undefined;
  return !canBeAbsent && isVisible(field, values);
}

export function isVisible({ visible_when: condition }: Pick<FormField, 'visible_when'>, values: Values): boolean {
  return condition === undefined || (Object.hasOwn(values, condition.field) && values[condition.field] === condition.equals);
}

const FORMATS: Readonly<Record<Format, (value: string) => boolean>> = {
  hostname: (value) => HOSTNAME.test(value) && !IP_ADDRESS.test(value),
  uri: isPlainUrl,
  uuid: (value) => UUID.test(value),
  email: (value) => value.length <= 254 && EMAIL.test(value),
  header_name: (value) => HEADER_NAME.test(value) && !NO_SETTING_OF_A_HEADER.test(value),
};

/** Returns whether a value is an http(s) URL without user name and fragment, as is required because secrets are sent to it. */
function isPlainUrl(value: string): boolean {
  // Non-ASCII hosts may look like other hosts; RFC 3986 §2 allows ASCII only.
  if (!/^[\x21-\x7e]*$/.test(value) || value.includes('\\') || !URL.canParse(value)) return false;
  const url = new URL(value);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return false;
  return url.username === '' && url.password === '' && url.hash === '';
}
