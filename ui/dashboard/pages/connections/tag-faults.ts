import { t as shared } from '../../app/texts/en.ts';
import { faultsIn, type Tags } from '../../components/tags.ts';
import { t } from './texts.ts';

export type TypedTag = Readonly<Record<'key' | 'value', string>>;

/** Checks a tag that is typed into a form by the rules for all tags. @param tags the tags to which it is added */
export function tagFaults({ key, value }: TypedTag, tags: Tags = {}): Partial<TypedTag> {
  const found = faultsIn({ tags, key, value });
  const missing = (label: string) => t('missing', { name: label });
  const keyFault = key.trim() === '' ? missing(shared('tag_key')) : found.key && shared(found.key);
  const valueFault = value.trim() === '' ? missing(shared('tag_value')) : found.value && shared(found.value);
  return { ...(keyFault && { key: keyFault }), ...(valueFault && { value: valueFault }) };
}
