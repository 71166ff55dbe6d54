/** The service's limits and patterns for tags, repeated here so that errors can be shown before anything is sent. */
const MAX_TAGS = 10;
/**
 * Pattern of a typed key. It is applied before lower-casing, by which some other letters, such as the Kelvin sign, become ASCII.
 */
const KEY = /^[a-z][a-z0-9_\-./]{0,63}$/i;
const MAX_VALUE = 255;
const EMAIL_KEY = 'end_user_email';
const EMAIL = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

export type Tags = Readonly<Record<string, string>>;

/** Tags being edited: the existing ones, and the line in which a new tag, or a new value for one of them, is typed. */
export interface TagDraft {
  readonly tags: Tags;
  readonly key: string;
  readonly value: string;
}

type TagFault = 'tag_key_invalid' | 'tag_value_invalid' | 'tag_email_invalid' | 'tag_limit';

/** The errors in the fields of the line. */
export interface TagFaults {
  readonly key?: TagFault | undefined;
  readonly value?: TagFault | undefined;
}

/** Creates a draft in which nothing is typed. */
export function draftOf(tags: Tags): TagDraft {
  return { tags, key: '', value: '' };
}

export function isBlank({ key, value }: TagDraft): boolean {
  return key.trim() === '' && value.trim() === '';
}

/** Returns the typed key as it is stored: in lower case. */
export function keyIn({ key }: TagDraft): string {
  return key.trim().toLowerCase();
}

export function faultsIn(draft: TagDraft): TagFaults {
  return isBlank(draft) ? {} : { key: keyFault(draft), value: valueFault(draft) };
}

/** Returns the tags with the typed one; undefined when that is not a valid tag yet. */
export function tagsIn(draft: TagDraft): Tags | undefined {
  const { key, value } = faultsIn(draft);
  if (key !== undefined || value !== undefined) return undefined;
  return isBlank(draft) ? draft.tags : { ...draft.tags, [keyIn(draft)]: draft.value.trim() };
}

/** Puts a tag into the line for editing, after the tag that is typed there has been added. */
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
