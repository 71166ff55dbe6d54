import type { Markup } from '../pages/html.ts';
import type { DocsSection } from './guide.ts';

/** A page of the documentation. */
export interface DocsPage {
  /** The path below `/docs/`, without a slash at its beginning; empty for the first page. */
  readonly path: string;
  readonly title: string;
  /** The name of the group in the navigation. The first page is in none. */
  readonly group?: string;
  /** The content with its title. Links to other pages begin with `/docs`. */
  readonly body: Markup;
  /** What the search finds the page by, in addition to its title. */
  readonly text: string;
  readonly sections: readonly DocsSection[];
  /** The entries of the page's own contents. */
  readonly contents: readonly DocsEntry[];
  /** True for a page of two columns, whose contents are below its name in the navigation. */
  readonly isWide: boolean;
}

interface DocsEntry {
  /** The fragment. */
  readonly id: string;
  readonly title: Markup;
}
