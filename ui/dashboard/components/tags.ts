/** As the service checks them, so that nobody has to send them to know. */
const MAX_TAGS = 10;
/** Of the key as typed: the lower case of some other letters, such as the Kelvin sign, is an ASCII letter. */
const KEY = /^[a-z][a-z0-9_\-./]{0,63}$/i;
const MAX_VALUE = 255;
const EMAIL_KEY = 'end_user_email';
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

export type Tags = Readonly<Record<string, string>>;

/** Tags while they are edited: those there are, and the line in which one more is typed, or another value for one of them. */
export interface TagDraft {
  readonly tags: Tags;
  readonly key: string;
  readonly value: string;
}

type TagFault = 'tag_key_invalid' | 'tag_value_invalid' | 'tag_email_invalid' | 'tag_limit';

/** What is wrong with the fields of the line. */
export interface TagFaults {
  readonly key?: TagFault | undefined;
  readonly value?: TagFault | undefined;
}

/** Nothing is typed. */
export function draftOf(tags: Tags): TagDraft {
  return { tags, key: '', value: '' };
}

export function isBlank({ key, value }: TagDraft): boolean {
  return key.trim() === '' && value.trim() === '';
}

/** Keys are kept in lower case. */
export function keyIn({ key }: TagDraft): string {
  return key.trim().toLowerCase();
}

export function faultsIn(draft: TagDraft): TagFaults {
  return isBlank(draft) ? {} : { key: keyFault(draft), value: valueFault(draft) };
}

/** The tags with what is typed. Undefined: that is no tag yet */
export function tagsIn(draft: TagDraft): Tags | undefined {
  const { key, value } = faultsIn(draft);
  if (key !== undefined || value !== undefined) return undefined;
  return isBlank(draft) ? draft.tags : { ...draft.tags, [keyIn(draft)]: draft.value.trim() };
}

/** Takes one back into the line, after the tag that stands there. */
export function withTagTyped(draft: TagDraft, key: string): TagDraft {
  const tags = tagsIn(draft) ?? draft.tags;
  return { tags, key, value: tags[key] ?? '' };
}

export function withoutTag(draft: TagDraft, key: string): TagDraft {
  const { [key]: _, ...tags } = draft.tags;
  return { ...draft, tags };
}

function keyFault(draft: TagDraft): TagFault | undefined {
  if (!KEY.test(draft.key.trim())) return 'tag_key_invalid';
  const isNew = !Object.hasOwn(draft.tags, keyIn(draft));
  return isNew && Object.keys(draft.tags).length >= MAX_TAGS ? 'tag_limit' : undefined;
}

function valueFault(draft: TagDraft): TagFault | undefined {
  const value = draft.value.trim();
  if (value === '' || value.length > MAX_VALUE) return 'tag_value_invalid';
  return keyIn(draft) === EMAIL_KEY && !EMAIL.test(value) ? 'tag_email_invalid' : undefined;
}
