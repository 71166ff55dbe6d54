import type { TextKey } from './texts/en.ts';
import type { Language } from './texts/translate.ts';

/**
 * Returns the label of a category. An operator's own categories have no text and are shown as they are; `other` has an empty
 * label.
 */
export function categoryLabel({ texts }: Language, category: string): string {
  if (category === 'other') return '';
  const text: string | undefined = texts[`category_${category.replaceAll('-', '_')}` as TextKey];
  return text ?? category.replaceAll('-', ' ');
}
