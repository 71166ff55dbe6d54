import { type LanguageTag, pickLanguage } from '../../../kit/language.ts';
import { de } from './de.ts';
import { en, type PageTexts } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { ja } from './ja.ts';
import { nl } from './nl.ts';
import { ptBr } from './pt-br.ts';

export const PAGE_LANGUAGES: Readonly<Record<LanguageTag, PageTexts>> = { de, en, es, fr, it, ja, nl, 'pt-br': ptBr };

export interface PageLanguage {
  /** The value of `<html lang>`. */
  readonly tag: string;
  readonly texts: PageTexts;
}

/**
 * Returns the language of the pages outside the window; English when none of the accepted languages is known.
 *
 * @param accepted the `Accept-Language` header
 */
export function pageLanguage(accepted = ''): PageLanguage {
  const tag = pickLanguage(preferred(accepted)) ?? 'en';
  return { tag, texts: PAGE_LANGUAGES[tag] };
}

/** Returns the accepted languages, the best first; one with the weight 0 is not acceptable (RFC 9110 §12.4.2, §12.5.4). */
function preferred(accepted: string): string[] {
  return accepted
    .split(',')
    .map((one) => {
      const [tag = '', weight = ''] = one.split(';', 2).map((part) => part.trim());
      const [, stated] = /^q\s*=\s*([01](?:\.\d{0,3})?)$/i.exec(weight) ?? [];
      return { tag, weight: Number(stated ?? 1) };
    })
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
