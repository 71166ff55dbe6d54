import { expect } from 'chai';

interface Crawled {
  /** The HTML of each page that was reached, by its address. */
  readonly pages: ReadonlyMap<string, string>;
  /** Links that lead nowhere: the page, and the link in it. */
  readonly broken: readonly string[];
}

/** Follows all links from a page to others of its origin. @param isCrawled returns whether the links of a page are followed, too */
export async function crawl(start: string, isCrawled: (url: string) => boolean): Promise<Crawled> {
  const pages = new Map<string, string>();
  const statuses = new Map<string, number>();
  const waiting = [start];
  for (let url = waiting.pop(); url !== undefined; url = waiting.pop()) {
    if (statuses.has(url)) continue;
    const response = await fetch(url);
    statuses.set(url, response.status);
    const text = await response.text();
    if (!isCrawled(url) || response.headers.get('content-type')?.startsWith('text/html') !== true) continue;
    pages.set(url, text);
    waiting.push(...linksOf(text, url).map(withoutFragment).filter(isOf(start)));
  }
  const broken = [...pages].flatMap(([page, text]) =>
    linksOf(text, page)
      .filter(isOf(start))
      .filter((link) => (statuses.get(withoutFragment(link)) ?? 404) >= 400 || !hasFragment(pages, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(pages.size, 'the first page was not found').to.be.above(0);
  return { pages, broken };
}

/** Returns the IDs of a page. */
export function idsOf(text: string): string[] {
  return [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);
}

function linksOf(text: string, page: string): string[] {
  return [...text.matchAll(/ (?:href|src|data-index)="([^"]*)"/g)].map(([, href = '']) => new URL(href, page).href);
}

function isOf(start: string): (url: string) => boolean {
  return (url) => new URL(url).origin === new URL(start).origin;
}

function withoutFragment(url: string): string {
  return url.split('#')[0] ?? '';
}

function hasFragment(pages: Crawled['pages'], link: string): boolean {
  const { hash } = new URL(link);
  const text = pages.get(withoutFragment(link));
  return hash === '' || (text !== undefined && idsOf(text).includes(decodeURIComponent(hash.slice(1))));
}
