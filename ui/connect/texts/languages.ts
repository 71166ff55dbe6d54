import type { Texts } from './en.ts';

export type LanguageTag = keyof typeof LANGUAGES;

/** Each is a file of its own, loaded when it is wanted. Keys are BCP 47 tags in lower case. */
export const LANGUAGES = {
  de: async (): Promise<Texts> => (await import('./de.ts')).de,
  en: async (): Promise<Texts> => (await import('./en.ts')).en,
  es: async (): Promise<Texts> => (await import('./es.ts')).es,
  fr: async (): Promise<Texts> => (await import('./fr.ts')).fr,
  it: async (): Promise<Texts> => (await import('./it.ts')).it,
  ja: async (): Promise<Texts> => (await import('./ja.ts')).ja,
  nl: async (): Promise<Texts> => (await import('./nl.ts')).nl,
  'pt-br': async (): Promise<Texts> => (await import('./pt-br.ts')).ptBr,
};
