import { expect } from 'chai';
import type { BrowserContext, Frame, Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { startConnectInstallation } from '../support/browser-installation.ts';
import { expectHeading } from '../support/browser-window.ts';
import { use } from '../support/use.ts';

const KB = 1024;
/** A script that records in each document when its first heading appears. */
const NOTE_HEADING = `new MutationObserver((_, observer) => {
  if (document.querySelector('h1') === null) return;
  globalThis.shownAt = performance.now();
  observer.disconnect();
}).observe(document, { childList: true, subtree: true });`;

const LOADED = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ startTime }) => startTime < shownAt)
  .map(({ name, responseEnd, encodedBodySize: bytes }) =>
    ({ path: new URL(name).pathname.replace(/-[\\w-]{8}\\./, '.'), isThere: responseEnd < shownAt, bytes }))`;

interface Loaded {
  readonly path: string;
  /** False for a file that was requested but had not arrived when the heading appeared. */
  readonly isThere: boolean;
  /** The compressed size. */
  readonly bytes: number;
}

const AT_MOST = 5;
/** The request for the integration's form, which may be sent before or after its screen appears. */
const FORM = '/connect/integrations/notes';
const FILES = ['/connect/assets/index.js', '/connect/assets/index.css', '/connect/assets/en.js', '/connect/session'];

describe('what is loaded before the first screen of the window', function () {
  const chromium = useChromium(this);
  const setup = use(this, startConnectInstallation);

  const watch = (profile: BrowserContext) => profile.addInitScript(NOTE_HEADING);

  async function expectLittle(document: Frame | Page, path: string): Promise<void> {
    const everything = await document.evaluate<readonly Loaded[]>(LOADED);
    const loaded = everything.filter(({ path }) => path !== FORM);
    expect(loaded.map(({ path }) => path)).to.have.members([path, ...FILES]);
    expect(loaded.filter(({ isThere }) => isThere)).to.have.length.of.at.most(AT_MOST);
    const bytesOf = (pattern: RegExp) =>
      loaded.filter(({ path }) => pattern.test(path)).reduce((sum, { bytes }) => sum + bytes, 0);
    expect(bytesOf(/index\.js$/)).to.be.within(1, 20 * KB);
    expect(bytesOf(/\.css$/)).to.be.within(1, 5 * KB);
    expect(bytesOf(/en\.js$/)).to.be.within(1, 3 * KB);
    expect(bytesOf(/^\/connect(\/l)?$/)).to.be.within(1, KB);
  }

  for (const [what, heading, allowed] of [
    ['a picker', 'Connect an account', ['notes', 'desk']],
    ['one integration', 'Connect Notes', ['notes']],
  ] as const) {
    it(`in a page, with ${what}: five requests, within the budgets`, async () => {
      await setup.visit(chromium, async (customer) => {
        await watch(customer.page.context());
        await customer.openWindow({ sessionToken: await setup.session({ allowed_integrations: allowed }) });
        const frame = await customer.frame();
        await expectHeading(frame, heading);
        await expectLittle(frame, '/connect');
      });
    });

    it(`behind a link, with ${what}: five requests, within the budgets`, async () => {
      await chromium.profile({ origins: [setup.app.url] }, async (profile) => {
        await watch(profile);
        const page = await profile.newPage();
        await page.goto(`${setup.app.url}/connect/l#${await setup.session({ allowed_integrations: allowed })}`);
        await expectHeading(page, heading);
        await expectLittle(page, '/connect/l');
      });
    });
  }
});
