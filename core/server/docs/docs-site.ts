import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { OpenApiDocument } from '../openapi/model.ts';
import type { BuiltUi } from '../pages/built-ui.ts';
import { html } from '../pages/html.ts';
import { fileReply, type PackedFile, pack } from '../pages/packed-file.ts';
import type { Reply } from '../route.ts';
import type { DocsPage } from './docs-page.ts';
import { guidePages } from './guides.ts';
import { type Place, renderPage } from './layout.ts';
import { referencePages } from './reference/reference-pages.ts';
import { searchIndex } from './search-index.ts';

const SCRIPT = /^docs\/assets\/main-.*\.js$/;
const JSON_TYPE = 'application/json; charset=utf-8';

const MISSING: DocsPage = {
  path: '',
  title: 'Not found',
  body: html`<h1>There is no such page</h1>
<p>It may have been renamed or removed. The search and the list of all pages lead on, or begin with the <a href="/docs">first page</a>.</p>`,
  text: '',
  sections: [],
  contents: [],
  isWide: false,
};

interface Instance {
  readonly baseUrl: string;
  readonly ui?: BuiltUi | undefined;
}

/** Returns all pages in the order of the navigation. */
export function docsPages(document: OpenApiDocument, ui: BuiltUi | undefined): DocsPage[] {
  return [...guidePages(ui), ...referencePages(document)];
}

/** Returns the path of the script of all pages. @returns undefined if it has not been built */
export function docsScript(ui: BuiltUi | undefined): string | undefined {
  return [...(ui?.files.keys() ?? [])].find((name) => SCRIPT.test(name));
}

/** The documentation that an instance serves. Each page is rendered and compressed when it is first requested. */
export class DocsSite {
  readonly #pages: readonly DocsPage[];
  readonly #place: Place;
  readonly #kept = new Map<string, (request: IncomingHttpHeaders) => Reply>();

  constructor(document: OpenApiDocument, { baseUrl, ui }: Instance) {
    // Only the path is used: the pages work under any name of this host.
    const base = new URL(baseUrl).pathname.replace(/\/$/, '');
    const script = docsScript(ui);
    this.#pages = docsPages(document, ui);
    this.#place = {
      addressOf: (path) => `${base}/${path}`,
      scriptUrl: script && `${base}/${script}`,
      hasDashboard: ui !== undefined,
    };
  }

  /** Returns a page. @param path the path below `/docs/`, empty for the first page @returns undefined if there is none */
  page(path: string, request: IncomingHttpHeaders): Reply | undefined {
    const page = this.#pages.find((one) => one.path === path);
    return page && this.#keep(path, () => renderPage(page, this.#pages, this.#place))(request);
  }

  /** Returns the page for an address at which there is none. */
  missing(): Reply {
    return { ...renderPage(MISSING, this.#pages, this.#place), status: 404 };
  }

  /** Returns the file that the search of all pages reads. */
  searchIndex(request: IncomingHttpHeaders): Reply {
    const render = () => ({ type: JSON_TYPE, body: JSON.stringify(searchIndex(this.#pages, this.#place.addressOf)) });
    return this.#keep('search.json', render)(request);
  }

  #keep(name: string, render: () => Rendered): (request: IncomingHttpHeaders) => Reply {
    const reply = this.#kept.get(name) ?? kept(render());
    this.#kept.set(name, reply);
    return reply;
  }
}

interface Rendered extends Pick<Reply, 'type' | 'headers'> {
  readonly body: string;
}

/** Returns a handler for a file that does not change while the service runs. */
function kept({ type = '', body, headers }: Rendered): (request: IncomingHttpHeaders) => Reply {
  const file: PackedFile = pack(type, body);
  // A weak tag, since it is the same for every encoding (RFC 9110 §8.8.3.3).
  const etag = `W/"${createHash('sha256').update(file.content).digest('base64url')}"`;
  return (request) => fileReply(file, request, { ...headers, etag, 'cache-control': 'no-cache' });
}
