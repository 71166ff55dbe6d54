import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const CLIPBOARD = ['clipboard-read', 'clipboard-write'];

describe('the search for everything', function () {
  const chromium = useChromium(this);
  const app = use(this, startApp);
  let requestId = '';

  before(async () => {
    await storeIntegration(app.api, 'desk');
    await storeConnection(app, {
      key: 'desk',
      connectionId: 'of-marie',
      tags: { end_user_display_name: 'Marie Hoffmann', organization_id: 'hellweg' },
    });
    await storeConnection(app, { key: 'desk', connectionId: 'of-jonas', tags: { end_user_display_name: 'Jonas Hell' } });
    const { headers } = await app.api.patch('/integrations/desk', { display_name: 'Acme Desk' });
    requestId = headers.get('svc-request-id') ?? '';
  });

  const field = (page: Page) => page.getByRole('combobox', { name: 'Search everything' });
  const opener = (page: Page) => page.getByRole('button', { name: 'Search everything' });
  /** Opens the search by its keys, which work once the page has its bar. */
  const openByKeys = async (page: Page) => {
    await opener(page).waitFor();
    await page.keyboard.press('Control+k');
    await field(page).waitFor();
  };
  const chosen = (page: Page) => page.locator('[role=option][aria-selected=true]');
  const pathOf = (page: Page) => new URL(page.url()).pathname;

  it('opens by Ctrl K, finds a person by a tag, and leads there by the keyboard alone', () =>
    visitAs({ chromium, app }, { path: 'e/dev/logs' }, async (page) => {
      await openByKeys(page);
      await page.keyboard.type('marie hell');
      await page
        .getByRole('option', { name: /Marie Hoffmann/ })
        .first()
        .waitFor();
      expect(await chosen(page).textContent()).to.contain('organization_id = hellweg');
      expect(await page.getByRole('option', { name: /Jonas/ }).count()).to.equal(0);
      const active = await field(page).getAttribute('aria-activedescendant');
      expect(await chosen(page).getAttribute('id')).to.equal(active);
      await page.keyboard.press('Enter');
      await until('it is open', async () => pathOf(page) === '/e/dev/connections/desk/of-marie/overview');
      expect(await field(page).count()).to.equal(0);
    }));

  it('finds integrations, pages and what a request ID names', () =>
    visitAs({ chromium, app }, { path: 'e/dev/home' }, async (page) => {
      await opener(page).click();
      await field(page).fill('acme');
      await page
        .getByRole('option', { name: /Acme Desk/ })
        .first()
        .click();
      await until('it is open', async () => pathOf(page) === '/e/dev/integrations/desk/settings');
      await openByKeys(page);
      await field(page).fill('audit');
      await page.getByRole('option', { name: 'Account: audit trail' }).click();
      await until('it is open', async () => pathOf(page) === '/account/audit');
      await openByKeys(page);
      await field(page).fill(requestId);
      await page.getByRole('group', { name: 'Operations' }).getByRole('option').first().click();
      await until('it is open', async () => pathOf(page).startsWith('/e/dev/logs/'));
      await page.getByText(requestId).first().waitFor();
    }));

  it('moves by the arrow keys, in a circle, and closes by Escape, which returns the focus', () =>
    visitAs({ chromium, app }, { path: 'e/dev/home' }, async (page) => {
      await opener(page).focus();
      await page.keyboard.press('Enter');
      await field(page).fill('hell');
      await page
        .getByRole('option', { name: /Jonas Hell/ })
        .first()
        .waitFor();
      const first = await chosen(page).textContent();
      await page.keyboard.press('ArrowDown');
      expect(await chosen(page).textContent()).to.not.equal(first);
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('ArrowUp');
      const last = await page.getByRole('listbox').getByRole('option').last().textContent();
      expect(await chosen(page).textContent()).to.equal(last);
      await page.keyboard.press('Escape');
      await field(page).waitFor({ state: 'detached' });
      expect(await opener(page).evaluate((element) => element === element.ownerDocument.activeElement)).to.equal(true);
    }));

  it('copies a reconnect link for the person that it has found, for developers alone', async () => {
    await visitAs({ chromium, app }, { role: 'developer', path: 'e/dev/home', permissions: CLIPBOARD }, async (page) => {
      await openByKeys(page);
      await field(page).fill('jonas');
      await page.getByRole('option', { name: 'Copy reconnect link for Jonas Hell' }).click();
      await page.getByText('Reconnect link copied').waitFor();
      const link = String(await page.evaluate('navigator.clipboard.readText()'));
      expect(link).to.match(/\/connect\/l#/);
      expect(page.url()).to.not.contain('#');
    });
    await visitAs({ chromium, app }, { role: 'viewer', path: 'e/dev/home' }, async (page) => {
      await openByKeys(page);
      await field(page).fill('jonas');
      await page
        .getByRole('option', { name: /Jonas Hell/ })
        .first()
        .waitFor();
      expect(await page.getByRole('option', { name: /reconnect link/ }).count()).to.equal(0);
    });
  });

  it('says when nothing is found', () =>
    visitAs({ chromium, app }, { path: 'e/dev/home' }, async (page) => {
      await openByKeys(page);
      await field(page).fill('nobody at all');
      await page.getByText('Nothing is found for “nobody at all”.').waitFor();
    }));
});
