import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { RULES_OF_VIEWS, violationsOf } from '../support/browser-axe.ts';
import type { Guard } from '../support/browser-guard.ts';
import { isLong } from '../support/size.ts';
import { startTenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const DESK = { viewport: { width: 1280, height: 900 } } as const;
const PHONE = { viewport: { width: 390, height: 900 } } as const;
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const LOOKED_AT = [
  '',
  '/webhooks',
  '/provider-definitions',
  '/errors',
  '/reference',
  '/reference/connect-sessions',
  // Axe needs a quarter of a minute for this page.
  ...(isLong ? ['/reference/schemas'] : []),
];

/** Anchors of the former page of the whole reference, and where they lead. */
const FORMER = {
  '#authentication': '/docs/reference#authentication',
  '#tag-connect-sessions': '/docs/reference/connect-sessions',
  '#createConnectSession': '/docs/reference/connect-sessions#createConnectSession',
  '#schemas': '/docs/reference/schemas',
  '#schema-Error': '/docs/reference/schemas#Error',
  '#errors': '/docs/errors',
  '#status-404': '/docs/errors#status-404',
  '#error-invalid_body': '/docs/errors#invalid_body',
};

describe('the documentation, in Chromium', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);

  const read = (path: string, options: BrowserContextOptions, body: (page: Page, guard: Guard) => Promise<void>) =>
    chromium.profile({ origins: [app.url], ...options }, async (profile, guard) => {
      const page = await profile.newPage();
      await page.goto(`${app.url}/docs${path}`);
      await body(page, guard);
    });
  const searchFor = async (page: Page, words: string) => {
    await page.keyboard.press('/');
    await page.keyboard.type(words);
  };

  for (const path of LOOKED_AT) {
    it(`/docs${path} is accessible and fits, on a desktop and on a phone, in both schemes`, () =>
      read(path, DESK, async (page) => {
        expect(await violationsOf(page)).to.deep.equal([]);
        for (const { viewport } of [DESK, PHONE]) {
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.setViewportSize(viewport);
            await page.emulateMedia({ colorScheme });
            expect(await page.evaluate(OVERFLOW)).to.equal(0);
            expect(await violationsOf(page, RULES_OF_VIEWS)).to.deep.equal([]);
          }
        }
      }));
  }

  it('is navigated by keyboard', () =>
    read('/reference/connect-sessions', DESK, async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content');
      await page.getByRole('link', { name: 'POST /connect/sessions', exact: true }).focus();
      await page.keyboard.press('Enter');
      const heading = page.getByRole('heading', { name: 'Create a connect session for an end user', exact: true });
      await until('it is in front', async () => {
        const { y = -1 } = (await heading.boundingBox()) ?? {};
        return y >= 56 && y <= 160;
      });
    }));

  it('keeps its navigation closed on a phone until it is opened', () =>
    read('/webhooks', PHONE, async (page) => {
      expect(await page.evaluate("document.querySelector('nav details').open")).to.equal(false);
      await page.getByText('Contents').press('Enter');
      await page.getByRole('navigation').getByRole('link', { name: 'Errors' }).click();
      await page.waitForURL('**/docs/errors');
    }));

  it('finds a guide by its words, whose first place Enter opens', () =>
    read('', DESK, async (page) => {
      await searchFor(page, 'verify signature');
      const hits = page.getByRole('search').getByRole('link');
      await hits.filter({ hasText: 'Verify the signature' }).first().waitFor();
      await page
        .getByRole('status')
        .getByText(/places are found/)
        .waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/webhooks#verify-the-signature');
    }));

  it('finds an operation by its path and an error by its code, which arrow keys reach', () =>
    read('/webhooks', DESK, async (page) => {
      await searchFor(page, '/connect/sessions reconnect');
      const hits = page.getByRole('search').getByRole('link');
      await hits.filter({ hasText: 'Connect sessions' }).first().waitFor();
      await page.keyboard.press('Escape');
      expect(await hits.count()).to.equal(0);
      await page.getByRole('searchbox').fill('invalid_hmac');
      await hits.filter({ hasText: 'Errors' }).first().waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/errors#invalid_hmac');
    }));

  it('says so if nothing is found', () =>
    read('', DESK, async (page) => {
      await searchFor(page, 'xylophone');
      await page.getByText('Nothing is found.').waitFor();
    }));

  it('reads the index of the search only when somebody searches', () =>
    read('/webhooks', DESK, async (page, { requests }) => {
      await page.getByRole('searchbox').waitFor();
      const isIndex = ({ url }: { readonly url: string }) => url.endsWith('/docs/search.json');
      expect(requests.some(isIndex)).to.equal(false);
      await page.getByRole('searchbox').focus();
      await until('it is read', async () => requests.some(isIndex));
    }));

  it('copies a block of code', () =>
    read('/start-here', { ...DESK, permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
      await page.getByRole('button', { name: 'Copy' }).first().click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).to.equal('npm ci\nnpm start');
    }));

  it('leads from each kind of anchor of the former page to where its subject is now', () =>
    read('', DESK, async (page) => {
      for (const [anchor, path] of Object.entries(FORMER)) {
        await page.goto('about:blank');
        await page.goto(`${app.url}/docs${anchor}`);
        await page.waitForURL(`${app.url}${path}`);
        const { hash } = new URL(page.url());
        if (hash !== '') expect(await page.locator(hash).count(), anchor).to.equal(1);
      }
    }));

  it('is whole without scripts, and shows no search then', () =>
    read('/webhooks', { ...DESK, javaScriptEnabled: false }, async (page) => {
      expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Webhooks');
      expect(await page.getByRole('search').count()).to.equal(0);
      await page.getByRole('link', { name: 'Retrying requests' }).first().click();
      await page.waitForURL('**/docs/repeating-requests');
    }));
});
