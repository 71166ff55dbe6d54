/** Languages of the pages for end users, each once, as BCP 47 tags in lower case. */
export const LANGUAGE_TAGS = ['de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pt-br'] as const;
export type LanguageTag = (typeof LANGUAGE_TAGS)[number];

/**
 * Returns the first requested language that is available, even if only in a variant for another region, which is better than
 * another language.
 *
 * @param wanted BCP 47 tags, best first
 */
export function pickLanguage(wanted: readonly string[]): LanguageTag | undefined {
  for (const tag of wanted) {
    const found = LANGUAGE_TAGS.find((known) => languageOf(known) === languageOf(tag));
    if (found !== undefined) return found;
  }
  return undefined;
}

function languageOf(tag: string): string {
  const [language = ''] = tag.toLowerCase().split('-');
  return language;
}

/** Fills `{placeholders}`. Placeholders that occur in the values themselves are not filled. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
