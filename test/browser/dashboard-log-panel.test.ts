import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { startTenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const COUNT = 40;

describe('an operation beside the list of the log', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);

  before(async () => {
    const { activity } = app.services;
    const actor = { kind: 'api_key', id: '1', name: 'default' } as const;
    for (let index = 0; index < COUNT; index += 1) {
      const operation = activity.begin({
        type: 'proxy',
        operation: 'GET',
        environmentId: app.environmentId,
        actor,
        sinceMs: 10 * (COUNT - index),
      });
      operation.describe({ summary: `GET /me?${index}`, httpStatus: 418, errorCode: `teapot_${index}` });
      operation.end('failure');
    }
    await activity.flush();
  });

  const visit = (body: (page: Page) => Promise<void>) =>
    visitAs({ chromium, app }, { role: 'viewer', path: 'e/dev/logs' }, async (page) => {
      await row(page, 30).waitFor();
      await body(page);
    });
  const row = (page: Page, index: number) => page.locator('tbody .row-link').nth(index);
  const panel = (page: Page) => page.getByRole('complementary', { name: 'Operation' });
  const hasFocus = (page: Page, selector: string) =>
    until(`${selector} has the focus`, () => page.evaluate<boolean>(`document.activeElement?.matches('${selector}') === true`));

  it('is opened and closed by keyboard alone, without moving the list', () =>
    visit(async (page) => {
      await row(page, 30).focus();
      const before = await page.evaluate('scrollY');
      await page.keyboard.press('Enter');
      await panel(page).getByText('teapot_9', { exact: true }).waitFor();
      await hasFocus(page, '.panel h2');
      expect(await page.evaluate('scrollY')).to.equal(before);
      expect(new URL(page.url()).searchParams.get('open')).to.match(/^[0-9a-f-]{36}$/);
      await page.keyboard.press('Escape');
      await panel(page).waitFor({ state: 'detached' });
      await hasFocus(page, 'tr:nth-child(31) .row-link');
      expect(new URL(page.url()).search).to.equal('');
    }));

  it('moves from one operation to the next, marks its row, and is still open after a reload', () =>
    visit(async (page) => {
      await row(page, 2).click();
      await panel(page).getByText('teapot_37', { exact: true }).waitFor();
      await row(page, 3).click();
      await panel(page).getByText('teapot_36', { exact: true }).waitFor();
      expect(await page.locator('[aria-current=true].row-link').count()).to.equal(1);
      await page.reload();
      await panel(page).getByText('teapot_36', { exact: true }).waitFor();
      await panel(page).getByRole('button', { name: 'Close' }).click();
      await panel(page).waitFor({ state: 'detached' });
    }));

  it('leads to all operations with the same error or by the same actor', () =>
    visit(async (page) => {
      await row(page, 0).click();
      await panel(page).getByRole('link', { name: 'teapot_39' }).click();
      await page.getByRole('button', { name: 'Remove Error: teapot_39' }).waitFor();
      await until('one is left', async () => (await page.locator(':not(.sr) > table tbody tr').count()) === 1);
      await page.goto(`${app.url}/e/dev/logs`);
      await row(page, 0).click();
      await panel(page).getByRole('link', { name: 'API key default' }).click();
      await page.waitForURL(/actor=api_key&actor_id=1/);
      await until('all are left', async () => (await page.locator(':not(.sr) > table tbody tr').count()) === COUNT);
    }));

  it('has its own page in another tab, through its link, and in a narrow window', () =>
    visit(async (page) => {
      const tab = page.context().waitForEvent('page');
      await row(page, 0).click({ modifiers: ['ControlOrMeta'] });
      await (await tab).getByRole('heading', { level: 1, name: 'GET /me?39' }).waitFor();
      await row(page, 1).click();
      await panel(page).getByRole('link', { name: 'Open as a page' }).click();
      await page.getByRole('heading', { level: 1, name: 'GET /me?38' }).waitFor();
      await page.goBack();
      await panel(page).getByRole('button', { name: 'Close' }).click();
      await page.setViewportSize({ width: 900, height: 800 });
      await row(page, 2).click();
      await page.getByRole('heading', { level: 1, name: 'GET /me?37' }).waitFor();
    }));
});
