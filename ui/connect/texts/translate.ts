import { fill, pickLanguage } from '../../../core/kit/language.ts';
import type { TextKey, Texts } from './en.ts';
import { LANGUAGES } from './languages.ts';

export interface Language {
  /** The language tag (BCP 47), for `<html lang>`, dates and plurals. */
  readonly tag: string;
  readonly texts: Texts;
}

export type Translate = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

/** Matches `[with {app}|without]`, or `[ in {app}]`. */
const CHOICE = /\[([^[|\]]*)(?:\|([^[\]]*))?\]/g;

/** Loads the first language that is known, or English. @param wanted BCP 47 tags, best first */
export async function loadLanguage(wanted: readonly string[]): Promise<Language> {
  const tag = pickLanguage(wanted) ?? 'en';
  return { tag, texts: await LANGUAGES[tag]() };
}

/** Returns the texts with the application's name, or those that need none if it is null. */
export function translator({ texts }: Language, app: string | null): Translate {
  const choose = (_: string, named: string, unnamed = '') => (app === null ? unnamed : named);
  return (key, values) => fill(texts[key].replace(CHOICE, choose), { ...(app !== null && { app }), ...values });
}

/** Returns which form of a text is used for a number. Languages with more than two forms use the second for the others. */
export function plural(tag: string, count: number): 'one' | 'other' {
  return new Intl.PluralRules(tag).select(count) === 'one' ? 'one' : 'other';
}
