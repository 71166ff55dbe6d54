import type { LanguageTag } from '../../../core/kit/language.ts';
import type { Texts } from './en.ts';

/** The texts by language. Each language is a separate file, which is loaded when it is needed. */
export const LANGUAGES: Readonly<Record<LanguageTag, () => Promise<Texts>>> = {
  de: async () => (await import('./de.ts')).de,
  en: async () => (await import('./en.ts')).en,
  es: async () => (await import('./es.ts')).es,
  fr: async () => (await import('./fr.ts')).fr,
  it: async () => (await import('./it.ts')).it,
  ja: async () => (await import('./ja.ts')).ja,
  nl: async () => (await import('./nl.ts')).nl,
  'pt-br': async () => (await import('./pt-br.ts')).ptBr,
};
