import type { DocsPage } from './docs-page.ts';

/** A place in the documentation that the search finds. `ui/docs/search-index.ts` reads the list of all. */
interface SearchEntry {
  readonly url: string;
  /** The group of the page in the navigation. */
  readonly group?: string;
  /** The title of the page. */
  readonly page: string;
  /** The title of the section. Absent for the page itself. */
  readonly section?: string;
  readonly text: string;
}

/** Returns an entry for every page and every section. @param addressOf returns the address of a path below the service's root */
export function searchIndex(pages: readonly DocsPage[], addressOf: (path: string) => string): SearchEntry[] {
  return pages.flatMap(({ path, title, group, text, sections }) => {
    const url = addressOf(path === '' ? 'docs' : `docs/${path}`);
    const common = { ...(group !== undefined && { group }), page: title };
    const own = sections.map((one) => ({ url: `${url}#${one.id}`, ...common, section: one.title, text: one.text }));
    return [{ url, ...common, text }, ...own];
  });
}
