/**
 * The first wanted language that there is; a tag stands for its language when its region is unknown (RFC 4647 §3.4, lookup).
 *
 * @param wanted BCP 47 tags, best first
 * @param known  tags in lower case
 * @returns a known tag; undefined: none
 */
export function pickLanguage(wanted: readonly string[], known: readonly string[]): string | undefined {
  for (const tag of wanted) {
    const [language = ''] = tag.toLowerCase().split('-');
    const found = [tag.toLowerCase(), language].find((candidate) => known.includes(candidate));
    // A region of a language is better than another language.
    const near = found ?? known.find((candidate) => candidate.startsWith(`${language}-`));
    if (near !== undefined && language !== '') return near;
  }
  return undefined;
}

/** Fills `{placeholders}`. What is filled in is not looked at again. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
