import { fill, pickLanguage } from '../../../core/kit/language.ts';
import type { TextKey, Texts } from './en.ts';
import { LANGUAGES } from './languages.ts';

export interface Language {
  /** For `<html lang>`, dates and plurals. */
  readonly tag: string;
  readonly texts: Texts;
}

export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

/** @param wanted BCP 47 tags, best first. English where none of them is known. */
export async function loadLanguage(wanted: readonly string[]): Promise<Language> {
  const tag = pickLanguage(wanted) ?? 'en';
  return { tag, texts: await LANGUAGES[tag]() };
}

export function translator({ texts }: Language): Translate {
  return (key, values) => fill(texts[key], values ?? {});
}

/** A text that depends on a number. Languages with more forms than two use the second for the others. */
export function plural(tag: string, count: number): 'one' | 'other' {
  return new Intl.PluralRules(tag).select(count) === 'one' ? 'one' : 'other';
}
