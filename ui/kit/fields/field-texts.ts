import { maxCharacters } from '../../../core/contract/field-rules.ts';
import type { Field } from '../wire.ts';
import type { Fault } from './form.ts';

export type FieldTextKey =
  | 'optional'
  | 'show'
  | 'hide'
  | 'show_value'
  | 'choose'
  | 'load_file'
  | 'file_too_big'
  | 'file_unreadable'
  | 'field_help'
  | 'opens_new_tab'
  | 'kept_host'
  | 'summary'
  | 'fault_required'
  | 'fault_choose'
  | 'fault_hostname'
  | 'fault_uri'
  | 'fault_uuid'
  | 'fault_email'
  | 'fault_header_name'
  | 'fault_pattern'
  | 'fault_pattern_example'
  | 'fault_too_big'
  | 'hint_pattern'
  | 'hint_pattern_example';

export type FieldTranslate = (key: FieldTextKey, values?: Readonly<Record<string, string | number>>) => string;

/** Returns the text about a fault that is shown to the user below the field. */
export function textOfFault(field: Field, fault: Fault, t: FieldTranslate): string {
  const { title, format, pattern, example } = field;
  if (fault.code === 'required') return t(field.enum === undefined ? 'fault_required' : 'fault_choose', { title });
  if (fault.code === 'too_big') return t('fault_too_big', { count: maxCharacters(field) });
  if (fault.code === 'invalid_value') return fault.message ?? t('fault_choose', { title });
  if (field.pattern_message !== undefined && pattern !== undefined) return field.pattern_message;
  if (format !== undefined && pattern === undefined) return t(`fault_${format}`);
  if (fault.message !== undefined && pattern === undefined) return fault.message;
  return example === undefined ? t('fault_pattern', { title }) : t('fault_pattern_example', { title, example });
}

/** Returns the text that is shown to the user when a value is allowed, but looks unusual. */
export function textOfHint({ title, pattern_message: message, example }: Field, t: FieldTranslate): string {
  if (message !== undefined) return message;
  return example === undefined ? t('hint_pattern', { title }) : t('hint_pattern_example', { title, example });
}
