import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import GithubSlugger from 'github-slugger';
import { lexer, Parser, Renderer, type Token, type Tokens, walkTokens } from 'marked';
import type { Guide } from '../../core/server/docs/guide.ts';
import { PROJECT } from './sources.ts';

/** The list of all guides: a heading for each group, and below it a list of links. It is also the first page. */
const LIST = 'docs/README.md';
/** Tokens that are text, not a group of others. */
const WORDS = ['text', 'codespan', 'code', 'escape'];

interface ListedGuide {
  /** The path in the project. */
  readonly file: string;
  /** The text of the link to it. */
  readonly title: string;
  readonly group?: string;
}

/** Renders all guides, in the order of the list. */
export function renderGuides(): Guide[] {
  const listed: readonly ListedGuide[] = [{ file: LIST, title: 'Documentation' }, ...listedGuides()];
  const slugs = new Map(listed.map(({ file }) => [file, slugOf(file)]));
  return listed.map(({ file, ...facts }) => ({ slug: slugOf(file), ...facts, ...renderGuide(file, slugs) }));
}

/** Returns the files to which the list links. @throws Error if a link is in no group */
function listedGuides(): ListedGuide[] {
  const guides: ListedGuide[] = [];
  let group: string | undefined;
  walkTokens(tokensOf(LIST), (token) => {
    if (token.type === 'heading' && token['depth'] === 2) group = token['text'];
    if (token.type !== 'link') return;
    if (group === undefined) throw new Error(`${LIST}: the link to ${token['href']} is in no group`);
    guides.push({ file: pathFrom(LIST, token['href']), title: token['text'], group });
  });
  return guides;
}

/** Returns the last part of a page's path: the file's name, or for the README of a folder that folder's path. */
function slugOf(file: string): string {
  if (file === LIST) return '';
  const { dir, name } = posix.parse(file);
  return name === 'README' ? dir.replaceAll('/', '-') : name;
}

function renderGuide(file: string, slugs: ReadonlyMap<string, string>): Omit<Guide, 'slug' | 'title' | 'group'> {
  const tokens = tokensOf(file);
  const { text, sections, ids } = outlineOf(tokens);
  const renderer = new GuideRenderer(ids, (href) => addressOf(href, file, slugs));
  return { html: new Parser({ renderer }).parse(tokens), text, sections };
}

/** Renders Markdown as GitHub does, but for links between guides, and for parts that a keyboard must be able to scroll. */
class GuideRenderer extends Renderer {
  readonly #ids: ReadonlyMap<Token, string>;
  readonly #addressOf: (href: string) => string;

  constructor(ids: ReadonlyMap<Token, string>, address: (href: string) => string) {
    super();
    this.#ids = ids;
    this.#addressOf = address;
  }

  override heading(token: Tokens.Heading): string {
    const content = this.parser.parseInline(token.tokens);
    const id = this.#ids.get(token);
    if (token.depth === 1 || id === undefined) return `<h${token.depth}>${content}</h${token.depth}>\n`;
    return `<h${token.depth} id="${id}"><a href="#${id}">${content}</a></h${token.depth}>\n`;
  }

  override link(token: Tokens.Link): string {
    return super.link({ ...token, href: this.#addressOf(token.href) });
  }

  override table(token: Tokens.Table): string {
    return `<div class="table" role="group" aria-label="Table" tabindex="0">${super.table(token)}</div>\n`;
  }

  override code(token: Tokens.Code): string {
    return super.code(token).replace('<pre>', '<pre tabindex="0">');
  }
}

/** Returns the words of a guide, of each of its sections, and the anchors of its headings, which are those of GitHub. */
function outlineOf(tokens: readonly Token[]) {
  const slugger = new GithubSlugger();
  const ids = new Map<Token, string>();
  const lead: string[] = [];
  const sections: { readonly id: string; readonly title: string; readonly depth: number; readonly words: string[] }[] = [];
  for (const token of tokens) {
    if (token.type !== 'heading') {
      (sections.at(-1)?.words ?? lead).push(wordsOf([token], ' '));
      continue;
    }
    const name = wordsOf([token], '');
    const id = slugger.slug(name);
    ids.set(token, id);
    if (token['depth'] > 1) sections.push({ id, title: name, depth: token['depth'], words: [] });
  }
  const oneLine = (words: readonly string[]) => words.join(' ').replaceAll(/\s+/g, ' ').trim();
  return { ids, text: oneLine(lead), sections: sections.map(({ words, ...one }) => ({ ...one, text: oneLine(words) })) };
}

function wordsOf(tokens: readonly Token[], between: string): string {
  const words: string[] = [];
  walkTokens([...tokens], (token) => {
    if (WORDS.includes(token.type) && !('tokens' in token) && 'text' in token) words.push(token.text);
  });
  return words.join(between);
}

/** Returns the address on a page for a link in a file; that of another site, and a fragment alone, stay as they are. */
function addressOf(href: string, file: string, slugs: ReadonlyMap<string, string>): string {
  const [path = '', fragment] = href.split('#');
  if (path === '' || /^[a-z]+:/.test(path)) return href;
  const slug = slugs.get(pathFrom(file, path));
  if (slug === undefined) throw new Error(`${file} links to ${path}, which is not among the guides of ${LIST}`);
  return `${slug === '' ? '/docs' : `/docs/${slug}`}${fragment === undefined ? '' : `#${fragment}`}`;
}

/** Resolves a link against the file that it is in. */
function pathFrom(file: string, href: string): string {
  return posix.join(posix.dirname(file), href);
}

function tokensOf(file: string): Token[] {
  return lexer(readFileSync(join(PROJECT, file), 'utf8'));
}
