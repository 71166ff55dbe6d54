import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { readVariables } from '../../core/environments/variables.ts';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { signedInAs } from '../support/dashboard/members.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('the settings of an environment, by keyboard', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());

  async function visit(section: string, body: (page: Page) => Promise<void>): Promise<void> {
    const { cookie } = await signedInAs(app, 'admin');
    const [name = '', value = ''] = cookie.split('=');
    await chromium.profile({ origins: [app.url], locale: 'en-US' }, async (profile) => {
      await profile.addCookies([{ name, value, url: app.url }]);
      const page = await profile.newPage();
      await page.goto(`${app.url}/e/dev/settings/${section}`);
      await body(page);
    });
  }

  const names = async () =>
    (await app.services.db('api_keys').where({ revoked_at: null }).select('name')).map(({ name }) => name);

  it('makes a key, shows it once, rolls it and revokes it', () =>
    visit('keys', async (page) => {
      await page.getByLabel('Name', { exact: true }).focus();
      await page.keyboard.type('<b>nightly</b>');
      await page.getByLabel('Scopes').selectOption({ label: 'Read-only' });
      await page.getByRole('button', { name: 'Create API key' }).press('Enter');
      const note = page.getByRole('alert').filter({ hasText: 'Copy this key now' });
      const first = (await note.getByRole('code').textContent()) ?? '';
      const asked = await fetch(`${app.url}/integrations`, { headers: { authorization: `Bearer ${first}` } });
      expect(asked.status).to.equal(200);

      await page.getByRole('button', { name: 'Actions for <b>nightly</b>' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Roll' }).press('Enter');
      await page.getByLabel('The old key goes on for').selectOption({ label: 'No time: it stops at once' });
      await page.getByRole('dialog').getByRole('button', { name: 'Roll' }).press('Enter');
      await until('another key is shown', async () => (await note.getByRole('code').textContent()) !== first);

      await page.getByRole('button', { name: 'I’ve saved it' }).press('Enter');
      await note.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Actions for <b>nightly</b>' }).last().press('Enter');
      await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
      await page.getByText('<b>nightly</b> no longer works.').waitFor();
      await until('nothing of it is left', async () => !(await names()).includes('<b>nightly</b>'));
    }));

  it('saves where messages go, sends a test event and shows its attempt', () =>
    visit('webhooks', async (page) => {
      const url = `${app.url}/health`;
      await page.getByLabel('Webhook URL', { exact: true }).fill(url);
      await page.getByRole('button', { name: 'Save' }).press('Enter');
      await page.getByText('Saved').waitFor();
      expect(await app.services.db('environments').where({ name: 'dev' }).first('webhook_url')).to.deep.equal({
        webhook_url: url,
      });
      await page.getByRole('button', { name: 'Send test event' }).press('Enter');
      await page.getByRole('button', { name: /^test/ }).press('Enter');
      await page.getByRole('dialog').getByText('"type"').waitFor();
    }));

  it('sets a variable, replaces its value and deletes it, without showing it again', () =>
    visit('variables', async (page) => {
      const read = () => readVariables(app.services, 1);
      const expectValue = (value: string | undefined) =>
        until('the value is stored', async () => (await read()).find(({ name }) => name === 'TRACKER_REGION')?.value === value);
      await page.getByText('No variables yet').waitFor();
      await page.getByLabel('Name', { exact: true }).fill('2nd');
      await page.getByLabel('Value').fill('eu-<b>central</b>');
      await page.getByRole('button', { name: 'Add variable' }).press('Enter');
      await page.getByText('not beginning with a digit').waitFor();
      await page.getByLabel('Name', { exact: true }).fill('TRACKER_REGION');
      await page.getByRole('button', { name: 'Add variable' }).press('Enter');
      await page.getByText('TRACKER_REGION is set, for the next run of a script.').waitFor();
      await expectValue('eu-<b>central</b>');

      const actions = page.getByRole('button', { name: 'Actions for TRACKER_REGION' });
      await actions.press('Enter');
      await page.getByRole('menuitem', { name: 'Replace value' }).press('Enter');
      const dialog = page.getByRole('dialog');
      expect(await dialog.getByLabel('Value').inputValue()).to.equal('');
      await dialog.getByLabel('Value').fill('us');
      await dialog.getByRole('button', { name: 'Replace value' }).press('Enter');
      await expectValue('us');
      await dialog.waitFor({ state: 'detached' });

      await actions.press('Enter');
      await page.getByRole('menuitem', { name: 'Delete variable' }).press('Enter');
      await dialog.getByRole('button', { name: 'Delete variable' }).press('Enter');
      await page.getByText('No variables yet').waitFor();
      await expectValue(undefined);
    }));
});
