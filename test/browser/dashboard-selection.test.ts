import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { forbidMouse, Keyboard } from '../support/browser-keyboard.ts';
import { rememberSecret } from '../support/canaries.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { startTenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const LIST = 'e/dev/connections';
const CLIPBOARD = ['clipboard-read', 'clipboard-write'];
const MANY = 55;
const PHONE = { width: 390, height: 844 };
const HEADS = 'name,email,end_user_id,organization,integration,provider,state,connection_id,account,created_at,last_used_at';

describe('selected connections', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);

  before(async () => {
    for (const key of ['many', 'few']) await storeIntegration(app.api, key);
    for (let index = 0; index < MANY; index += 1)
      await storeConnection(app, { key: 'many', tags: { end_user_id: `usr_${String(index).padStart(2, '0')}` } });
  });

  /** Stores connections of the integration `few`, which are found by their own tag, and the tags of each by name. */
  const few = async (group: string, all: Readonly<Record<string, Readonly<Record<string, string>>>>) => {
    const ids = new Map<string, string>();
    for (const [name, tags] of Object.entries(all)) {
      const own = { end_user_display_name: name, group, ...tags };
      ids.set(name, (await storeConnection(app, { key: 'few', tags: own })).connectionId);
    }
    return { path: `${LIST}?${new URLSearchParams({ 'tags[group]': group, sort: 'oldest' })}`, ids };
  };
  const tagsOf = async (id: string) => (await app.api.get(`/connections/${id}?provider_config_key=few`)).body.tags;

  const box = (page: Page, name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true });
  const toolbar = (page: Page) => page.getByRole('toolbar');
  const press = (page: Page, name: string) => toolbar(page).getByRole('button', { name }).click();
  const isSelected = (page: Page, text: string) => toolbar(page).getByText(text, { exact: true }).waitFor();
  const focused = async (page: Page) => (await new Keyboard(page).focusIn(page)).name;

  it('are selected in ranges and all at once, stay so when more are loaded, and are forgotten with other filters', () =>
    visitAs({ chromium, app }, { path: `${LIST}?integration=many` }, async (page) => {
      await box(page, 'usr_54').click();
      await isSelected(page, '1 selected');
      await page.getByRole('toolbar', { name: 'For the selected connection', exact: true }).waitFor();
      await box(page, 'usr_50').click({ modifiers: ['Shift'] });
      await isSelected(page, '5 selected');
      await box(page, 'usr_52').uncheck();
      await isSelected(page, '4 selected');
      await page.getByRole('button', { name: 'Load more' }).click();
      await box(page, 'usr_00').check();
      await isSelected(page, '5 selected');
      await page.getByRole('toolbar', { name: 'For the 5 selected connections' }).waitFor();
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
      await isSelected(page, `${MANY} selected`);
      await press(page, 'Copy reconnect links');
      await page.getByText('Links are created for at most 50 connections at once. Select fewer.').waitFor();
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Healthy' }).click();
      await toolbar(page).waitFor({ state: 'detached' });
      await box(page, 'usr_54').waitFor();
      expect(await box(page, 'usr_54').isChecked()).to.equal(false);
    }));

  it('are selected and worked on by keyboard alone', async () => {
    const { path } = await few('keyboard', { Ada: {}, Grace: {} });
    await visitAs({ chromium, app }, { path, prepare: forbidMouse }, async (page) => {
      const keyboard = new Keyboard(page);
      await box(page, 'Ada').waitFor();
      await keyboard.tabTo(page, 'Select Ada');
      await keyboard.press('Space');
      await isSelected(page, '1 selected');
      await keyboard.tabTo(page, 'Copy reconnect links');
      await keyboard.press('ArrowRight');
      expect(await focused(page)).to.equal('Edit tags');
      await keyboard.press('End');
      expect(await focused(page)).to.equal('Clear selection');
      await keyboard.press('Enter');
      await toolbar(page).waitFor({ state: 'detached' });
      expect(await focused(page), 'the heading of the page').to.equal('Connections');
      expect(await box(page, 'Ada').isChecked()).to.equal(false);
    });
  });

  it('get reconnect links, which are copied with their names and kept nowhere', async () => {
    const { path } = await few('links', { Ada: {}, '=Grace\tHopper': {}, Kelvin: {} });
    await visitAs({ chromium, app }, { path, permissions: CLIPBOARD, role: 'developer' }, async (page) => {
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
      await box(page, 'Kelvin').uncheck();
      await press(page, 'Copy reconnect links');
      await page.getByText('2 links are copied, a line for each end user: the name, a tab, the link.').waitFor();
      await page.getByText(/can sign in again for its connection, until \d+:\d\d/).waitFor();
      const lines = String(await page.evaluate('navigator.clipboard.readText()')).split('\n');
      const links = lines.map((line) => line.split('\t'));
      expect(links.map(([name]) => name)).to.deep.equal(['Ada', "'=Grace Hopper"]);
      const tokens = links.map(([, link = '']) => rememberSecret('reconnect link', link.split('#')[1] ?? ''));
      for (const [, link = ''] of links) expect(link).to.match(/^http:.*\/connect\/l#.{20,}$/);
      const kept = `${page.url()} ${await page.evaluate('JSON.stringify([localStorage, sessionStorage, history.state])')}`;
      for (const token of tokens) expect(kept).to.not.contain(token);
      await page.getByRole('button', { name: 'Close' }).click();
      await until('the button has the focus again', async () => (await focused(page)) === 'Copy reconnect links');
      await isSelected(page, '2 selected');
    });
  });

  it('get a tag beside their other ones, and lose it again; those that cannot have it stay selected', async () => {
    const full = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`tag_${index}`, 'x']));
    const { path, ids } = await few('tags', { Ada: { plan: 'free' }, Grace: {}, Full: full });
    await visitAs({ chromium, app }, { path }, async (page) => {
      await page.getByRole('checkbox', { name: 'Select all shown' }).check();
      await press(page, 'Edit tags');
      await page.getByLabel('Tag name').fill('Plan');
      await page.getByLabel('Tag value').fill('pro');
      await page.getByRole('button', { name: 'Set tag' }).click();
      await page.getByText('The tags of 1 connection were not changed. It is still selected.').waitFor();
      await page.getByText('Full: There are at most 10 tags.').waitFor();
      await isSelected(page, '1 selected');
      expect(await box(page, 'Full').isChecked()).to.equal(true);
      const whole = { group: 'tags', plan: 'pro' };
      expect(await tagsOf(ids.get('Ada') ?? '')).to.deep.equal({ end_user_display_name: 'Ada', ...whole });
      expect(await tagsOf(ids.get('Grace') ?? '')).to.deep.equal({ end_user_display_name: 'Grace', ...whole });
      expect(await tagsOf(ids.get('Full') ?? '')).to.deep.equal({ end_user_display_name: 'Full', group: 'tags', ...full });
      await box(page, 'Ada').check();
      await press(page, 'Edit tags');
      await page.getByText('Remove a tag').click();
      await page.getByLabel('Tag name').fill('plan');
      await page.getByRole('button', { name: 'Remove tag' }).click();
      await page.getByText('plan is removed from 2 connections.').waitFor();
      expect(await tagsOf(ids.get('Ada') ?? '')).to.deep.equal({ end_user_display_name: 'Ada', group: 'tags' });
      await isSelected(page, '2 selected');
    });
  });

  it('are shown with the names that their new tags give them', async () => {
    const { path } = await few('names', { Ada: {}, Grace: {} });
    await visitAs({ chromium, app }, { path }, async (page) => {
      await box(page, 'Grace').check();
      await press(page, 'Edit tags');
      await page.getByLabel('Tag name').fill('end_user_display_name');
      await page.getByLabel('Tag value').fill('Hopper');
      await page.getByRole('button', { name: 'Set tag' }).click();
      await page.getByRole('link', { name: 'Hopper' }).waitFor();
      await isSelected(page, '1 selected');
    });
  });

  it('are deleted after the number was typed, and what failed is told', async () => {
    const { path, ids } = await few('deletion', { Ada: {}, Gone: {}, Grace: {}, Kelvin: {} });
    await visitAs({ chromium, app }, { path, role: 'developer' }, async (page, { guard }) => {
      guard.expect(/status of 404/);
      for (const name of ['Ada', 'Gone', 'Grace']) await box(page, name).check();
      await app.api.delete(`/connections/${ids.get('Gone')}?provider_config_key=few`);
      await press(page, 'Delete…');
      const confirm = page.getByRole('button', { name: 'Delete connections' });
      await page.getByLabel('Type 3 to confirm').fill('4');
      await confirm.click();
      await page.getByText('This is not 3.').waitFor();
      await page.getByLabel('Type 3 to confirm').fill('3');
      await confirm.click();
      await page.getByText('1 connection was not deleted.').waitFor();
      await page.getByText(/^Gone: /).waitFor();
      await until('only one is left', async () => (await page.locator('tbody .row-link').count()) === 1);
      await page.getByRole('link', { name: 'Kelvin' }).waitFor();
      await toolbar(page).waitFor({ state: 'detached' });
      const { body } = await app.api.get('/connections?tags[group]=deletion');
      expect(body.connections.map((one: { connection_id: string }) => one.connection_id)).to.deep.equal([ids.get('Kelvin')]);
    });
  });

  it('are deleted from a list of several pages, which stays where it is', async () => {
    for (let index = 0; index < 3; index += 1) await storeConnection(app, { key: 'many', tags: { end_user_id: `old_${index}` } });
    await visitAs({ chromium, app }, { path: `${LIST}?integration=many` }, async (page) => {
      await page.getByRole('button', { name: 'Load more' }).click();
      await box(page, 'usr_00').waitFor();
      for (const index of [0, 1, 2]) await box(page, `old_${index}`).check();
      await press(page, 'Delete…');
      await page.getByLabel('Type 3 to confirm').fill('3');
      await page.getByRole('button', { name: 'Delete connections' }).click();
      await page.getByText('3 connections were deleted.').waitFor();
      await until('they are gone', async () => (await page.locator('tbody .row-link').count()) === MANY);
      expect(await focused(page)).to.equal('Connections');
    });
  });

  const saved = async (page: Page, click: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), click()]);
    const [head, ...lines] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect([download.suggestedFilename(), head]).to.deep.equal(['connections-dev.csv', HEADS]);
    return lines;
  };

  it('are exported as CSV, as is all that the filters select; viewers can do nothing else with them', async () => {
    const acme = { end_user_email: 'ada@acme.example', end_user_id: 'u-1', organization_id: 'acme' };
    const { path, ids } = await few('csv', { Ada: acme, '=Grace': {} });
    await visitAs({ chromium, app }, { path, role: 'viewer' }, async (page) => {
      await box(page, 'Ada').check();
      const buttons = await toolbar(page).getByRole('button').allTextContents();
      expect(buttons).to.deep.equal(['Export CSV', '']);
      const [line = '', ...others] = await saved(page, () => press(page, 'Export CSV'));
      expect(others).to.deep.equal([]);
      const facts = ['Ada', 'ada@acme.example', 'u-1', 'acme', 'few', 'generic-oauth', 'healthy', ids.get('Ada'), ''];
      expect(line).to.match(new RegExp(`^${facts.join(',')},\\d{4}-[^,]+,$`));
      const everything = page.getByRole('search').getByRole('button', { name: 'Export CSV' });
      expect((await saved(page, () => everything.click())).map((one) => one.split(',')[0])).to.deep.equal(['Ada', "'=Grace"]);
      await page.getByText('2 connections are exported.').waitFor();
      await page.goto(`${app.url}/${LIST}?integration=many`);
      await box(page, 'usr_54').waitFor();
      expect(await saved(page, () => everything.click()), 'more than are loaded').to.have.length(MANY);
    });
  });

  it('have their toolbar at the bottom of a phone, with icons that have names', () =>
    visitAs({ chromium, app }, { path: `${LIST}?integration=many` }, async (page) => {
      await page.setViewportSize(PHONE);
      await box(page, 'usr_54').check();
      await isSelected(page, '1 selected');
      const { y = 0, height = 0, x = 0, width = 0 } = (await toolbar(page).boundingBox()) ?? {};
      expect(y + height).to.be.within(PHONE.height - 20, PHONE.height);
      expect([x, x + width]).to.deep.equal([16, PHONE.width - 16]);
      const word = await toolbar(page).getByText('Edit tags').boundingBox();
      expect(word?.width).to.equal(1);
      await press(page, 'Edit tags');
      await page.getByText('Edit the tags of 1 connection').waitFor();
    }));
});
