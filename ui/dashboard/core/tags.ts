/** As the service checks them, so that nobody has to send them to know. */
const MAX_TAGS = 10;
/** Of the key as typed: the lower case of some other letters, such as the Kelvin sign, is an ASCII letter. */
const KEY = /^[a-z][a-z0-9_\-./]{0,63}$/i;
const MAX_VALUE = 255;
const EMAIL_KEY = 'end_user_email';
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

export type Tags = Readonly<Record<string, string>>;
export type TagFault = 'tag_key_invalid' | 'tag_value_invalid' | 'tag_email_invalid' | 'tag_double' | 'tag_limit';

/** What is wrong with a tag that is to be added. */
export function faultInTag(tags: Tags, key: string, value: string): TagFault | undefined {
  if (Object.keys(tags).length >= MAX_TAGS) return 'tag_limit';
  if (!KEY.test(key)) return 'tag_key_invalid';
  if (Object.hasOwn(tags, key.toLowerCase())) return 'tag_double';
  if (value === '' || value.length > MAX_VALUE) return 'tag_value_invalid';
  return key.toLowerCase() === EMAIL_KEY && !EMAIL.test(value) ? 'tag_email_invalid' : undefined;
}

/** Keys are kept in lower case. */
export function withTag(tags: Tags, key: string, value: string): Tags {
  return { ...tags, [key.toLowerCase()]: value };
}

export function withoutTag(tags: Tags, key: string): Tags {
  const { [key]: _, ...others } = tags;
  return others;
}
