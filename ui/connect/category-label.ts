import type { TextKey } from './texts/en.ts';
import type { Language } from './texts/translate.ts';

/**
 * Returns the label of a category. Categories that an operator has added have no text and are shown unchanged; the label of
 * `other` is empty.
 */
export function categoryLabel({ texts }: Language, category: string): string {
  if (category === 'other') return '';
  const text: string | undefined = texts[`category_${category.replaceAll('-', '_')}` as TextKey];
  return text ?? category.replaceAll('-', ' ');
}
