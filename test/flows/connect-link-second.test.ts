import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createHonestIntegration } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { canary } from '../support/canaries.ts';
import { createSession } from '../support/connect.ts';
import { startDirectApp } from '../support/direct.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { startHonestProvider } from '../support/honest-provider/honest-provider.ts';
import { use } from '../support/use.ts';

const MINUTE_MS = 60_000;

describe('a second connect link in the same tab, in Chromium', function () {
  const chromium = useChromium(this);
  const fake = use(this, startFakeProvider);
  const app = use(this, () => startDirectApp(fake));
  const provider = use(this, () => startHonestProvider({ redirectUris: [`${app.url}/oauth/callback`] }));

  before(() => createHonestIntegration(app, provider));

  async function linkFor(name: string, key: string): Promise<string> {
    const tags = { end_user_display_name: name, end_user_email: `${name}@acme.example` };
    return `${app.url}/connect/l#${await createSession(app, { tags, allowed_integrations: [key] })}`;
  }

  /** Finds the text that says for whom the page connects an account. */
  const audience = (page: Page, name: string) => page.getByText(`for ${name}`);

  /** Opens a link that differs only in its fragment, and asserts by a mark in the document that the browser keeps the page. */
  async function openInSameTab(page: Page, link: string): Promise<void> {
    await page.evaluate("document.documentElement.setAttribute('data-mark', '')");
    await page.goto(link);
    expect(await page.locator('html[data-mark]').count()).to.equal(1);
  }

  async function newestTags(): Promise<unknown> {
    const [newest] = (await app.api.get('/connections?limit=1')).body.connections;
    return newest.tags;
  }

  async function allow(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Continue to Generic OAuth 2.0' }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Generic OAuth 2.0 is connected' }).waitFor();
  }

  it('replaces the first: the page, the end user and the tags are its own', async () => {
    await chromium.unguarded(async (browser) => {
      const page = await browser.newPage();
      await page.goto(await linkFor('alice', 'honest'));
      await audience(page, 'alice').waitFor();
      await openInSameTab(page, await linkFor('bob', 'honest'));
      await audience(page, 'bob').waitFor();
      expect(await page.getByText('alice').count()).to.equal(0);
      expect(page.url()).to.equal(`${app.url}/connect/l`);
      await allow(page);
      expect(await newestTags()).to.deep.equal({ end_user_display_name: 'bob', end_user_email: 'bob@acme.example' });
    });
  });

  it('works after one that has expired', async () => {
    await chromium.unguarded(async (browser) => {
      const page = await browser.newPage();
      const expired = await linkFor('alice', 'honest');
      await app.clock.advance(31 * MINUTE_MS);
      await page.goto(expired);
      await page.getByRole('heading', { name: 'This link has expired' }).waitFor();
      await openInSameTab(page, await linkFor('bob', 'honest'));
      await audience(page, 'bob').waitFor();
      expect(await page.getByRole('heading', { name: 'This link has expired' }).count()).to.equal(0);
      await allow(page);
      expect(await newestTags()).to.include({ end_user_display_name: 'bob' });
    });
  });

  it('shows one form when the same link is opened again while it loads', async () => {
    await chromium.unguarded(async (browser) => {
      const page = await browser.newPage();
      const link = await linkFor('alice', 'honest');
      await page.goto(link);
      await openInSameTab(page, link);
      await openInSameTab(page, link);
      await audience(page, 'alice').waitFor();
      await page.getByRole('button').first().waitFor();
      expect(await page.getByRole('button').count()).to.equal(1);
    });
  });

  it('is not affected by a response to the form of the first link', async () => {
    await chromium.unguarded(async (browser) => {
      const page = await browser.newPage();
      const held = Promise.withResolvers<void>();
      const asked = Promise.withResolvers<void>();
      await page.route('**/connect/flows', async (route) => {
        const response = await route.fetch();
        asked.resolve();
        await held.promise;
        // The page may have aborted the request; then it cannot be answered, which is ignored.
        await route.fulfill({ response }).catch(() => {});
      });
      await page.goto(await linkFor('alice', 'keyed'));
      await page.getByLabel('API key', { exact: true }).fill(canary('key of the first link'));
      await page.getByRole('button', { name: 'Connect', exact: true }).click();
      await asked.promise;
      await openInSameTab(page, await linkFor('bob', 'honest'));
      await audience(page, 'bob').waitFor();
      held.resolve();
      expect(await newestTags()).to.include({ end_user_display_name: 'alice' });
      await allow(page);
      expect(await newestTags()).to.include({ end_user_display_name: 'bob' });
    });
  });
});
