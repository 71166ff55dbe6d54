import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildDocs } from '../../ui/build-docs.ts';
import { useChromium } from '../support/browser.ts';
import { crawl } from '../support/crawl.ts';
import { type Folder, makeFolders } from '../support/folders.ts';
import { type LoopbackServer, serve } from '../support/loopback-server.ts';
import { use } from '../support/use.ts';

const BELOW = '/a/site';
const TYPES: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', json: 'application/json' };

/** The documentation as files, which a server serves below a path. */
class StaticDocs implements AsyncDisposable {
  readonly url: string;
  readonly origin: string;
  readonly #folder: Folder;
  readonly #server: LoopbackServer;

  private constructor(folder: Folder, server: LoopbackServer) {
    this.#folder = folder;
    this.#server = server;
    this.origin = server.url;
    this.url = server.url + BELOW;
  }

  static async open(): Promise<StaticDocs> {
    const folder = await makeFolders({});
    await buildDocs(folder.path);
    const server = await serve(({ url = '' }, response) => {
      try {
        const content = readFileSync(join(folder.path, url.slice(BELOW.length)));
        response.writeHead(200, { 'content-type': TYPES[url.split('.').at(-1) ?? ''] }).end(content);
      } catch {
        response.writeHead(404).end();
      }
    });
    return new StaticDocs(folder, server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
    await this.#folder[Symbol.asyncDispose]();
  }
}

describe('npm run build:docs', function () {
  this.timeout(60_000);
  const chromium = useChromium(this);
  const docs = use(this, StaticDocs.open);

  it('writes pages whose links all lead somewhere', async () => {
    const { pages, broken } = await crawl(`${docs.url}/index.html`, (url) => url.endsWith('.html'));
    expect(broken).to.deep.equal([]);
    expect(pages.size).to.be.above(30);
    for (const [url, text] of pages) expect(text, url).not.to.match(/ (?:href|src|data-index)="\//);
  });

  it('copies the OpenAPI document', async () => {
    const document = JSON.parse(await (await fetch(`${docs.url}/openapi.json`)).text());
    expect(document.openapi).to.equal('3.1.0');
  });

  it('has a search that works from each folder, in Chromium', () =>
    chromium.profile({ origins: [docs.origin] }, async (profile) => {
      const page = await profile.newPage();
      await page.goto(`${docs.url}/reference/connections.html`);
      await page.getByRole('searchbox').fill('invalid_hmac');
      await page
        .getByRole('search')
        .getByRole('link', { name: /^invalid_hmac/ })
        .click();
      await page.waitForURL(`${docs.url}/errors.html#invalid_hmac`);
    }));
});
