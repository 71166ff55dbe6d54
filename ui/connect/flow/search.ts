import type { Integration } from '../../kit/wire.ts';

/** Number of entries from which on there is a search field. */
export const SEARCH_FROM = 7;

export interface Entry {
  readonly integration: Integration;
  /** True if another entry has the same name: the ID tells them apart. */
  readonly isTwin: boolean;
  /** The labels of its categories. */
  readonly labels: readonly string[];
  readonly text: string;
}

/** Creates the entries of a list of integrations. @param labelOf returns a category's label for people; empty if it has none */
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
 * Returns entries with each word of the query in their name, ID, provider or categories, as the catalogue or the page names
 * them.
 */
export function search(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  return words.length === 0 ? entries : entries.filter(({ text }) => words.every((word) => text.includes(word)));
}

/** Returns a text without case and accents. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
