import { readFileSync } from 'node:fs';
import { html, type Markup, pageReply } from '../pages/html.ts';
import type { Reply } from '../route.ts';
import type { DocsPage } from './docs-page.ts';

const STYLE = readFileSync(new URL('docs.css', import.meta.url), 'utf8');
/** Matches the links of a page to other paths of the service. */
const LINK = / (href|data-index)="\/([^"#]*)/g;

/** How a page finds others: they are served below a base path, or they are files. */
export interface Place {
  /** Returns the address of a path below the service's root, such as `docs/webhooks`. */
  readonly addressOf: (path: string) => string;
  /** The address of the script of all pages. Absent if it has not been built: then there is no search. */
  readonly scriptUrl: string | undefined;
  /** True if the pages belong to an instance that has a dashboard. */
  readonly hasDashboard: boolean;
}

/** Renders a page with the navigation that all pages share. */
export function renderPage(page: DocsPage, pages: readonly DocsPage[], place: Place): Reply & { readonly body: string } {
  const { addressOf, scriptUrl, hasDashboard } = place;
  const body = html`<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="/docs">svc <span>Docs</span></a>
${scriptUrl === undefined ? '' : SEARCH}
${hasDashboard ? html`<a class="out" href="/e">Dashboard</a>` : ''}
</header>
<div class="page${page.isWide ? ' wide' : ''}">
<nav class="site" aria-label="Documentation" tabindex="0"><details><summary>Contents</summary>${navigation(page, pages)}</details></nav>
<main id="content" tabindex="-1"><article>${page.body}</article>${neighbours(page, pages)}</main>
${page.isWide || page.contents.length < 2 ? '' : html`<nav class="toc" aria-label="On this page"><p>On this page</p>${contents(page)}</nav>`}
</div>`;
  const script = scriptUrl !== undefined && { scriptUrl, connectSrc: "'self'" };
  const reply = pageReply({ title: `${page.title} · svc docs`, style: STYLE, body, ...script });
  return { ...reply, body: reply.body.replaceAll(LINK, (_, name: string, path: string) => ` ${name}="${addressOf(path)}`) };
}

/** The script shows the form, which does nothing without it. */
const SEARCH = html`<form role="search" data-index="/docs/search.json" hidden>
<input type="search" aria-label="Search the documentation" placeholder="Search" autocomplete="off" spellcheck="false"><kbd>/</kbd>
</form>`;

function navigation(page: DocsPage, pages: readonly DocsPage[]): Markup {
  const grouped = pages.flatMap((one) => (one.group === undefined ? [] : [{ group: one.group, one }]));
  const groups = Map.groupBy(grouped, ({ group }) => group);
  return html`${[...groups].map(
    ([name, own]) => html`<p>${name}</p><ul>${own.map(({ one }) => html`<li>${pageLink(one, page)}</li>\n`)}</ul>`,
  )}`;
}

function pageLink(page: DocsPage, current: DocsPage): Markup {
  const { path, title, isWide } = page;
  if (page !== current) return html`<a href="/docs/${path}">${title}</a>`;
  return html`<a href="/docs/${path}" aria-current="page">${title}</a>${isWide ? contents(page) : ''}`;
}

function contents({ contents: entries }: DocsPage): Markup {
  return html`<ul>${entries.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`;
}

/** Renders the links to the guides before and after this one. */
function neighbours(page: DocsPage, pages: readonly DocsPage[]): Markup {
  if (page.group === undefined || page.isWide) return html``;
  const at = pages.indexOf(page);
  const link = (other: DocsPage | undefined, rel: string) =>
    other?.group === undefined ? html`<span></span>` : html`<a rel="${rel}" href="/docs/${other.path}">${other.title}</a>`;
  return html`<nav class="neighbours" aria-label="Next pages">${link(pages[at - 1], 'prev')}${link(pages[at + 1], 'next')}</nav>`;
}
