import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { withChromium } from '../support/browser.ts';
import { crawl } from '../support/crawl.ts';
import { freePort } from '../support/free-port.ts';
import { type ReverseProxy, startReverseProxy } from '../support/reverse-proxy.ts';
import { use } from '../support/use.ts';

const BASE_PATH = '/auth/svc';

/** The service below a path of an operator's host, behind a reverse proxy that removes this path. */
class BelowPath implements AsyncDisposable {
  readonly url: string;
  readonly #app: TestApp;
  readonly #proxy: ReverseProxy;

  private constructor(app: TestApp, proxy: ReverseProxy) {
    this.url = app.url;
    this.#app = app;
    this.#proxy = proxy;
  }

  static async start(): Promise<BelowPath> {
    const port = await freePort();
    const proxy = await startReverseProxy(`http://127.0.0.1:${port}`, { basePath: BASE_PATH });
    const env = { PORT: String(port), SVC_BASE_URL: proxy.url + BASE_PATH };
    return new BelowPath(await startApp({ env }), proxy);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]();
    await this.#app[Symbol.asyncDispose]();
  }
}

describe('the window below a base path', function () {
  const service = use(this, BelowPath.start);

  it('prefixes its addresses with that path', async () => {
    const page = await (await fetch(`${service.url}/connect`)).text();
    expect(page).to.include(`<base href="${BASE_PATH}/">`);
    expect((await fetch(`${service.url}/sdk/v1.js`)).status).to.equal(200);
  });

  it('loads all of its files and is shown, in Chromium', async function () {
    await withChromium(this, async (browser) => {
      const page = await browser.newPage();
      const failed: string[] = [];
      page.on('response', (response) => void (response.status() >= 400 && failed.push(response.url())));
      page.on('console', (message) => void (message.type() === 'error' && failed.push(message.text())));
      page.on('pageerror', (error) => void failed.push(error.message));
      await page.goto(`${service.url}/connect`);
      await page.locator('#root', { hasText: /\S/ }).waitFor();
      expect(failed).to.deep.equal([]);
    });
  });

  it('has documentation whose links all lead somewhere, and to its dashboard', async () => {
    const { pages, broken } = await crawl(`${service.url}/docs`, (url) => url.startsWith(`${service.url}/docs`));
    expect(broken).to.deep.equal([]);
    expect(pages.size).to.be.above(30);
    expect(pages.get(`${service.url}/docs/webhooks`)).to.include(`href="${BASE_PATH}/e"`);
  });

  it('finds places in its documentation, in Chromium', async function () {
    await withChromium(this, async (browser) => {
      const page = await browser.newPage();
      await page.goto(`${service.url}/docs`);
      await page.getByRole('searchbox').fill('verify signature');
      await page
        .getByRole('search')
        .getByRole('link', { name: /Verify the signature/ })
        .first()
        .click();
      await page.waitForURL(`${service.url}/docs/webhooks#verify-the-signature`);
    });
  });
});
