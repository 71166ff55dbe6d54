import type { Reply } from '../../app/replies.ts';
import type { Provider } from './app-form.ts';
import { authWord, categoryWord } from './authentication.ts';

/** What the catalogue knows of this environment. */
export type Known = Reply<'getCatalogue'>['data'];

/** The members of a provider that its tile needs. */
export interface Listed extends Pick<Provider, 'name' | 'display_name' | 'auth_mode' | 'logo_url' | 'proof'> {
  readonly categories?: readonly string[];
  readonly sandbox?: true;
}

/** The category of providers for APIs that have no definition. */
export const GENERIC = 'other';

export interface Sections {
  readonly own: readonly Listed[];
  /** The providers of each category, the largest one first. A provider is in the first of its categories alone. */
  readonly categories: readonly { readonly name: string; readonly providers: readonly Listed[] }[];
  readonly generic: readonly Listed[];
  readonly sandbox: readonly Listed[];
}

/** @param own names of the providers from the operator's folders */
export function sectionsOf(providers: readonly Listed[], own: readonly string[]): Sections {
  const of = (kind: ReturnType<typeof kindOf>) => providers.filter((one) => kindOf(one, own) === kind);
  const categories = new Map<string, Listed[]>();
  for (const one of of('listed')) {
    const name = one.categories?.[0] ?? '';
    categories.set(name, [...(categories.get(name) ?? []), one]);
  }
  return {
    own: of('own'),
    categories: [...categories]
      .map(([name, members]) => ({ name, providers: members }))
      .sort((one, other) => other.providers.length - one.providers.length || (one.name < other.name ? -1 : 1)),
    generic: of('generic'),
    sandbox: of('sandbox'),
  };
}

function kindOf({ name, categories, sandbox }: Listed, own: readonly string[]) {
  if (sandbox === true) return 'sandbox';
  if (own.includes(name)) return 'own';
  return categories?.[0] === GENERIC ? 'generic' : 'listed';
}

/** Returns the number of providers that stand for a product: neither made up nor generic. */
export function countOf(providers: readonly Listed[]): number {
  return providers.filter((one) => kindOf(one, []) === 'listed').length;
}

/** Returns the names of all categories by their words, with that of generic providers at the end. */
export function categoriesOf(providers: readonly Listed[]): readonly string[] {
  const names = new Set(providers.filter(({ sandbox }) => sandbox !== true).flatMap(({ categories = [] }) => categories));
  const hasGeneric = names.delete(GENERIC);
  const sorted = [...names].sort((one, other) => categoryWord(one).localeCompare(categoryWord(other)));
  return hasGeneric ? [...sorted, GENERIC] : sorted;
}

/** Returns the providers with a text in their name, authentication or categories. Made-up providers are at the end. */
export function matchesOf(providers: readonly Listed[], { search, category }: { search: string; category: string }) {
  const wanted = search.toLowerCase();
  const found = providers.filter(({ categories = [], ...one }) => {
    if (category !== '' && !categories.includes(category)) return false;
    const words = [
      one.name,
      one.display_name,
      one.auth_mode,
      authWord(one.auth_mode),
      ...categories,
      ...categories.map(categoryWord),
    ];
    return words.some((word) => word.toLowerCase().includes(wanted));
  });
  const isMadeUp = ({ sandbox }: Listed) => sandbox === true;
  return [...found.filter((one) => !isMadeUp(one)), ...found.filter(isMadeUp)];
}
