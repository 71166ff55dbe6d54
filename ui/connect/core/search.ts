import type { Integration } from '../../shared/wire.ts';

/** From this many entries on there is a search field. */
export const SEARCH_FROM = 7;

export interface Entry {
  readonly integration: Integration;
  /** Another one has the same name: the ID tells them apart. */
  readonly isTwin: boolean;
  readonly text: string;
}

export function entriesOf(integrations: readonly Integration[]): readonly Entry[] {
  const names = new Map<string, number>();
  for (const { display_name: name } of integrations) names.set(name, (names.get(name) ?? 0) + 1);
  return integrations.map((integration) => {
    const { display_name: name, unique_key: key, provider, categories } = integration;
    return { integration, isTwin: (names.get(name) ?? 0) > 1, text: folded([name, key, provider, ...categories].join(' ')) };
  });
}

/** Entries with each word of the query anywhere in their name, ID, provider or categories. */
export function search(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = folded(query).split(/\s+/).filter(Boolean);
  return words.length === 0 ? entries : entries.filter(({ text }) => words.every((word) => text.includes(word)));
}

/** Without case and accents. */
function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}
