import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { serve } from '../support/loopback-server.ts';
import { use } from '../support/use.ts';

/**
 * A page that serves as the tab and as the frame of another site, whose script reports what is stored and then stores something;
 * and a page that opens a window without a click.
 */
const PAGES: Readonly<Record<string, string>> = {
  '/frame': '<!doctype html><link rel="icon" href="data:,"><script src="/keep.js"></script>',
  '/keep.js': 'globalThis.found = localStorage.kept; localStorage.kept = "by " + (parent === self ? "the tab" : "the frame");',
  '/late.js': 'setTimeout(() => console.log(open("/frame") === null ? "blocked" : "opened"), 100);',
  '/late': '<!doctype html><link rel="icon" href="data:,"><script src="/late.js"></script>',
};

describe('Chromium in these tests', function () {
  const chromium = useChromium(this);
  const server = use(this, () =>
    serve(({ url = '/' }, response) => {
      const page =
        PAGES[url] ?? `<!doctype html><link rel="icon" href="data:,"><iframe src="http://127.0.0.1:${server.port}/frame">`;
      response.writeHead(200, { 'content-type': url.endsWith('.js') ? 'text/javascript' : 'text/html' }).end(page);
    }),
  );

  const found = (page: Page) => page.frames().at(-1)?.evaluate('globalThis.found ?? "nothing"');

  it('partitions storage: a frame of another site does not see what its own site keeps in a tab', async () => {
    const origins = [server.url, `http://localhost:${server.port}`];
    await chromium.profile({ origins }, async (profile) => {
      const page = await profile.newPage();
      await page.goto(`${server.url}/frame`);
      await page.goto(`http://localhost:${server.port}/`);
      expect(await found(page)).to.equal('nothing');
      await page.goto(`${server.url}/frame`);
      expect(await found(page)).to.equal('by the tab');
    });
  });

  it('blocks a window that no click has asked for', async () => {
    await chromium.profile({ origins: [server.url] }, async (profile) => {
      const page = await profile.newPage();
      // A script that Playwright evaluates in the page would count as a click, so the page reports through the console.
      const said = page.waitForEvent('console');
      await page.goto(`${server.url}/late`);
      expect((await said).text()).to.equal('blocked');
      expect(profile.pages()).to.have.length(1);
    });
  });

  for (const [fault, script, message] of [
    ['an error in the console', 'console.error("oh")', /console: oh/],
    ['an uncaught error', 'setTimeout(() => { throw new Error("oh"); })', /uncaught: Error: oh/],
    ['a request to somebody else', 'fetch("http://localhost:1/").catch(() => {})', /request to http:\/\/localhost:1\//],
  ] as const) {
    it(`fails a test by ${fault}`, async () => {
      const failing = chromium.profile({ origins: [server.url] }, async (profile, guard) => {
        const page = await profile.newPage();
        await page.goto(`${server.url}/frame`);
        if (fault !== 'an error in the console') guard.expect(/^console/);
        await page.evaluate(`void ${script}`);
        await page.waitForFunction('new Promise((resolve) => setTimeout(() => resolve(true), 50))');
      });
      const error = await failing.then(() => undefined, String);
      expect(error).to.match(message);
    });
  }
});
