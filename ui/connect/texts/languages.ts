import type { Texts } from './en.ts';

export type LanguageTag = keyof typeof LANGUAGES;

/** Each is a file of its own, loaded when it is wanted. Keys are BCP 47 tags in lower case. */
export const LANGUAGES = {
  en: async (): Promise<Texts> => (await import('./en.ts')).en,
};
