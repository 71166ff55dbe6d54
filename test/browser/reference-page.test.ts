import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { RULES_OF_VIEWS, violationsOf } from '../support/browser-axe.ts';
import { isLong } from '../support/size.ts';
import { startTenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const DESK = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' } as const;
const PHONE = { viewport: { width: 390, height: 900 }, colorScheme: 'dark' } as const;
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describe('the API reference, in Chromium', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);

  const read = (options: BrowserContextOptions, body: (page: Page) => Promise<void>) =>
    chromium.profile({ origins: [app.url], ...options }, async (profile) => {
      const page = await profile.newPage();
      await page.goto(`${app.url}/docs`);
      await body(page);
    });

  it('is accessible on a desktop, in light colors', () =>
    read(DESK, async (page) => {
      expect(await page.evaluate(OVERFLOW)).to.equal(0);
      expect(await violationsOf(page)).to.deep.equal([]);
    }));

  it('fits on a phone, in dark colors, and passes axe in a long run', () =>
    read(PHONE, async (page) => {
      expect(await page.evaluate(OVERFLOW)).to.equal(0);
      // Axe needs ten seconds for this page.
      if (isLong) expect(await violationsOf(page, RULES_OF_VIEWS)).to.deep.equal([]);
    }));

  it('is navigated by its table of contents, by keyboard', () =>
    read(DESK, async (page) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content');
      await page.getByRole('link', { name: 'POST /connect/sessions', exact: true }).focus();
      await page.keyboard.press('Enter');
      const heading = page.getByRole('heading', { name: 'Create a connect session for an end user', exact: true });
      await until('it is in front', async () => {
        const { y = -1 } = (await heading.boundingBox()) ?? {};
        return y >= 0 && y <= 100;
      });
    }));

  it('keeps its table of contents closed on a phone until it is opened', () =>
    read(PHONE, async (page) => {
      expect(await page.evaluate("document.querySelector('nav details').open")).to.equal(false);
      await page.getByText('Contents').press('Enter');
      await page.getByRole('navigation').getByRole('link', { name: 'Errors' }).click();
      expect(new URL(page.url()).hash).to.equal('#errors');
    }));
});
