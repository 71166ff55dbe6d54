import type { TextKey } from './texts/en.ts';
import type { Language } from './texts/translate.ts';

/** An operator's own categories have no text, and stand as they are; `other` says nothing. */
export function categoryLabel({ texts }: Language, category: string): string {
  if (category === 'other') return '';
  const text: string | undefined = texts[`category_${category.replaceAll('-', '_')}` as TextKey];
  return text ?? category.replaceAll('-', ' ');
}
