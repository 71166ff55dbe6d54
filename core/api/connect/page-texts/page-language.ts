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
  /** For `<html lang>`. */
  readonly tag: string;
  readonly texts: PageTexts;
}

/** Of the pages outside the window. @param accepted the `Accept-Language` header. English where none of its languages is known */
export function pageLanguage(accepted = ''): PageLanguage {
  const tag = pickLanguage(preferred(accepted)) ?? 'en';
  return { tag, texts: PAGE_LANGUAGES[tag] };
}

/** Best first; what has the weight 0 is not acceptable (RFC 9110 §12.4.2, §12.5.4). */
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
