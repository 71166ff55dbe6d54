import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { forbidMouse, Keyboard } from '../support/browser-keyboard.ts';
import { expectHeading } from '../support/browser-window.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { storeMany } from '../support/many-connections.ts';
import { storeIntegration } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const ACME = { organization_id: 'acme' };
const LIST = 'e/dev/connections';
const FILTER = 'tag:organization_id=acme';

describe('the list of connections, with 120 of them (check 18)', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());

  before(async () => {
    const { db, keys } = app.services;
    await storeIntegration(app.api, 'many');
    await app.api.patch('/integrations/many', { display_name: 'Many things' });
    const { id: integrationId } = await db('integrations').where({ unique_key: 'many' }).first('id');
    await storeMany(db, keys, { environmentId: 1, integrationId, count: 120 });
    const named = { end_user_display_name: 'Kelvin', end_user_email: 'kelvin@acme.example' };
    await db('connections').where({ connection_id: 'many-119' }).update({ tags: named });
    const known = { end_user_id: 'usr_117', organization_id: 'globex' };
    await db('connections').where({ connection_id: 'many-117' }).update({ tags: known });
    await db('connections').whereIn('connection_id', ['many-7', 'many-8', 'many-9']).update({ tags: ACME });
    await db('connections').whereIn('connection_id', ['many-8', 'many-30']).update({ state: 'needs_reauth' });
  });

  const visit = (body: (page: Page) => Promise<void>) =>
    visitAs({ chromium, app }, { path: LIST }, async (page) => {
      await page.getByRole('link', { name: 'Kelvin' }).waitFor();
      await body(page);
    });
  const rowsOf = (page: Page) => page.locator(':not(.sr) > table tbody tr');
  const hasRows = (page: Page, count: number) => until(`there are ${count}`, async () => (await rowsOf(page).count()) === count);

  it('shows people by name or else by end_user_id, and others by the ID of the connection, in rows of 48 px', () =>
    visit(async (page) => {
      expect(await rowsOf(page).first().textContent()).to.contain('kelvin@acme.example');
      expect(await rowsOf(page).nth(1).textContent()).to.contain('many-118');
      await page.getByRole('link', { name: 'usr_117 end_user_id · organization globex' }).waitFor();
      const heights = await rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
      for (const height of heights) expect(height).to.be.within(48, 49);
    }));

  it('finds the same by tag and state as the public API, and keeps the filter in the address', () =>
    visit(async (page) => {
      const search = page.getByRole('searchbox');
      await search.fill(FILTER);
      await search.press('Enter');
      await hasRows(page, 3);
      await page.getByRole('button', { name: 'Remove organization_id: acme' }).waitFor();
      expect(await search.inputValue()).to.equal('');
      const { body } = await app.api.get('/connections?tags[organization_id]=acme');
      const ids = body.connections.map(({ connection_id: id }: { connection_id: string }) => id);
      for (const id of ids) await rowsOf(page).filter({ hasText: id }).waitFor();
      await page.getByRole('button', { name: 'Needs sign-in' }).click();
      await hasRows(page, 1);
      await page.reload();
      await hasRows(page, 1);
      expect(await rowsOf(page).first().textContent()).to.contain('many-8');
    }));

  it('moves the focus to row 51 after loading more, opens the focused row, and comes back to it', () =>
    visit(async (page) => {
      const keyboard = new Keyboard(page);
      const focused = async () => (await keyboard.focusIn(page)).name;
      await page.getByRole('button', { name: 'Load more' }).press('Enter');
      await hasRows(page, 100);
      await until('row 51 has the focus', async () => (await focused()).includes('many-69'));
      const top = await page.evaluate<number>('scrollY');
      expect(top).to.be.above(0);
      await keyboard.press('Enter');
      await expectHeading(page, 'many-69');
      await page.goBack();
      await until('it is where it was', async () => (await page.evaluate('scrollY')) === top);
      expect(await rowsOf(page).count()).to.equal(100);
    }));

  it('filters by a tag by keyboard, and says when the input is not a tag', () =>
    visitAs({ chromium, app }, { path: LIST, prepare: forbidMouse }, async (page) => {
      const keyboard = new Keyboard(page);
      const focused = async () => (await keyboard.focusIn(page)).name;
      const hasFocus = (name: string) => until(`${name} has the focus`, async () => (await focused()) === name);
      await page.getByRole('link', { name: 'Kelvin' }).waitFor();
      await keyboard.tabTo(page, 'Tags');
      await keyboard.press('Enter');
      await hasFocus('Tag name');
      await keyboard.press('Escape');
      await hasFocus('Tags');
      await page.getByLabel('Tag name').waitFor({ state: 'detached' });
      await keyboard.press('Enter');
      await hasFocus('Tag name');
      await keyboard.press('Enter');
      await page.getByText('Tag name is missing.').waitFor();
      await keyboard.type('Organization_ID');
      await keyboard.press('Enter');
      await page.getByText('Tag value is missing.').waitFor();
      await hasFocus('Tag value');
      await keyboard.type('acme');
      await keyboard.press('Enter');
      await hasRows(page, 3);
      await hasFocus('Tags');
      expect(new URL(page.url()).search).to.equal(`?${new URLSearchParams({ 'tags[organization_id]': 'acme' })}`);
      await keyboard.tabTo(page, 'Remove organization_id: acme');
      await keyboard.press('Enter');
      await hasRows(page, 50);
    }));

  it('names the selected integration without an extra request', () =>
    visitAs({ chromium, app }, { path: `${LIST}?integration=many` }, async (page, { guard }) => {
      await page.getByRole('button', { name: 'Integration: Many things' }).waitFor();
      expect(guard.requests.filter(({ url }) => url.includes('/integrations/many'))).to.deep.equal([]);
    }));

  it('names the selected integration and connection in the logs, or shows the ID of one without a name', () =>
    visitAs({ chromium, app }, { path: 'e/dev/logs?integration=many&connection_id=many-119' }, async (page) => {
      await page.getByRole('button', { name: 'Integration: Many things' }).waitFor();
      await page.getByRole('button', { name: 'Connection: Kelvin' }).waitFor();
      await page.goto(`${app.url}/e/dev/logs?integration=many&connection_id=many-118`);
      await page.getByRole('button', { name: 'Connection: many-118' }).waitFor();
    }));
});
