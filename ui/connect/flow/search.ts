import type { Integration } from '../../kit/wire.ts';

/** Minimum number of entries for which a search field is shown. */
export const SEARCH_FROM = 7;

export interface Entry {
  readonly integration: Integration;
  /** True if another entry has the same name, so that the ID has to be shown to tell them apart. */
  readonly isTwin: boolean;
  /** The labels of the integration's categories. */
  readonly labels: readonly string[];
  readonly text: string;
}

/** Creates the entries of a list of integrations. @param labelOf returns the label of a category; empty if it has none */
export function entriesOf(integrations: readonly Integration[], labelOf: (category: string) => string): readonly Entry[] {
  const names = new Map<string, number>();
  for (const { display_name: name } of integrations) names.set(name, (names.get(name) ?? 0) + 1);
  return integrations.map((integration) => {
    const { display_name: name, unique_key: key, provider, categories } = integration;
    const labels = categories.map(labelOf).filter(Boolean);
    const text = folded([name, key, provider, ...categories, ...labels].join(' '));
    return { integration, isTwin: (names.get(name) ?? 0) > 1, labels, text };
  });
}

/**
 * Returns the entries that contain each word of the query in their name, ID, provider or categories (by the catalogue's names or
 * the page's labels).
 */
export function search(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  return words.length === 0 ? entries : entries.filter(({ text }) => words.every((word) => text.includes(word)));
}

/** Returns a text in lower case and without accents. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
