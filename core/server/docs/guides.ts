import type { BuiltUi } from '../pages/built-ui.ts';
import { html, trustedMarkup } from '../pages/html.ts';
import type { DocsPage } from './docs-page.ts';
import type { Guide } from './guide.ts';

/** The file of the build that has all guides. */
const FILE = 'docs/guides.json';

/** Returns the pages of the guides, the list of all first. @returns none if the pages have not been built */
export function guidePages(ui: BuiltUi | undefined): DocsPage[] {
  const file = ui?.files.get(FILE);
  const guides: readonly Guide[] = file === undefined ? [] : JSON.parse(file.content.toString());
  return guides.map(guidePage);
}

function guidePage({ slug, title, group, html: body, text, sections }: Guide): DocsPage {
  return {
    path: slug,
    title,
    ...(group !== undefined && { group }),
    body: trustedMarkup(body),
    text,
    sections,
    contents: sections.filter(({ depth }) => depth === 2).map((one) => ({ id: one.id, title: html`${one.title}` })),
    isWide: false,
  };
}
