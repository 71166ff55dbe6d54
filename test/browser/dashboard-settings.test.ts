import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { readVariables } from '../../core/tenants/environments/variables.ts';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('the settings of an environment, by keyboard', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());

  const visit = (section: string, body: (page: Page) => Promise<void>) =>
    visitAs({ chromium, app }, { role: 'admin', path: `e/dev/settings/${section}` }, body);

  it('saves a webhook URL, sends a test event and shows its attempt', () =>
    visitAs({ chromium, app }, { role: 'admin', path: 'e/dev/settings/webhooks' }, async (page) => {
      await page.waitForURL(`${app.url}/e/dev/webhooks/endpoints`);
      const url = `${app.url}/health`;
      await page.getByLabel('Webhook URL', { exact: true }).fill(url);
      await page.getByRole('button', { name: 'Save' }).press('Enter');
      await page.getByText('Saved').waitFor();
      expect(await app.services.db('environments').where({ name: 'dev' }).first('webhook_url')).to.deep.equal({
        webhook_url: url,
      });
      await page.getByRole('button', { name: 'Send test event' }).press('Enter');
      await page.getByRole('menuitem', { name: /forward/ }).press('Enter');
      await page.getByRole('navigation', { name: 'Webhooks' }).getByRole('link', { name: 'Sent' }).press('Enter');
      await page.getByRole('link', { name: /^Test/ }).press('Enter');
      const panel = page.getByRole('complementary', { name: 'Event' });
      await panel.getByText('"type":"forward"').waitFor();
      expect(page.url()).to.match(/\?open=[\w-]+$/);
      await page.keyboard.press('Escape');
      await panel.waitFor({ state: 'detached' });
      await app.services.db('webhook_messages').update({ status: 'failed', next_attempt_at: null });
      await page.getByText('Failed', { exact: true }).last().waitFor();
      await page.getByLabel('Type', { exact: true }).selectOption({ label: 'Test' });
      await page.getByRole('button', { name: 'Resend all failed' }).press('Enter');
      await page.getByText('1 webhook is due again.').waitFor();
      expect(await app.services.db('webhook_messages').whereNotNull('replayed_at')).to.have.length(1);
    }));

  it('resends from the home page the webhooks that were given up', async () => {
    await app.services.db('webhook_messages').update({ status: 'failed', next_attempt_at: null, replayed_at: null });
    await visitAs({ chromium, app }, { role: 'viewer', path: 'e/dev/home' }, async (page) => {
      await page.getByText('1 webhook was given up').waitFor();
      expect(await page.getByRole('button', { name: /^Resend all/ }).count()).to.equal(0);
    });
    await visitAs({ chromium, app }, { role: 'developer', path: 'e/dev/home' }, async (page) => {
      await page.getByRole('button', { name: 'Resend all: 1 webhook was given up' }).press('Enter');
      await page.getByText('1 webhook is due again.').waitFor();
      await page.getByText('1 webhook was given up').waitFor({ state: 'detached' });
      expect(await app.services.db('webhook_messages').whereNotNull('replayed_at')).to.have.length(1);
    });
  });

  it('leads from an attempt in the log to its message', async () => {
    const { message_id: messageId } = await app.services.db('webhook_messages').first('message_id');
    const attempt = app.services.activity.begin({ type: 'webhook', operation: 'test', environmentId: 1 });
    attempt.note('info', 'test webhook → 200', { messageId, tries: 1 });
    attempt.end('success');
    await app.services.activity.flush();
    await visitAs({ chromium, app }, { role: 'viewer', path: `e/dev/logs/${attempt.id}` }, async (page) => {
      await page.getByRole('link', { name: 'Open webhook' }).press('Enter');
      await page.getByText('"type":"forward"').waitFor();
      expect(page.url()).to.contain('/webhooks/sent/');
    });
  });

  it('sets a variable, replaces its value and deletes it, and never shows it again', () =>
    visit('variables', async (page) => {
      const read = () => readVariables(app.services, 1);
      const expectValue = (value: string | undefined) =>
        until('the value is stored', async () => (await read()).find(({ name }) => name === 'TRACKER_REGION')?.value === value);
      await page.getByText('No variables yet').waitFor();
      await page.getByRole('button', { name: 'Add variable' }).press('Enter');
      await page.getByLabel('Name', { exact: true }).fill('2nd');
      await page.getByLabel('Value').fill('eu-<b>central</b>');
      await page.getByRole('dialog').getByRole('button', { name: 'Add variable' }).press('Enter');
      await page.getByText('not beginning with a digit').waitFor();
      await page.getByLabel('Name', { exact: true }).fill('TRACKER_REGION');
      await page.getByRole('dialog').getByRole('button', { name: 'Add variable' }).press('Enter');
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
      expect(await page.evaluate<string>('document.activeElement.ariaLabel')).to.equal('Actions for TRACKER_REGION');

      await actions.press('Enter');
      await page.getByRole('menuitem', { name: 'Delete variable' }).press('Enter');
      await dialog.getByRole('button', { name: 'Delete variable' }).press('Enter');
      await page.getByText('No variables yet').waitFor();
      await expectValue(undefined);
    }));

  it('renames an environment, whose page has the new address, and marks it as production until the name is typed', async () => {
    await app.services.db('environments').insert({ account_id: 1, name: 'trial', is_production: false });
    await visitAs({ chromium, app }, { role: 'admin', path: 'e/trial/settings' }, async (page, { guard }) => {
      guard.expect(/409 \(Conflict\)/);
      const name = page.getByLabel('Name', { exact: true });
      await name.fill('dev');
      await page.getByRole('button', { name: 'Rename environment' }).press('Enter');
      await page.getByText('There is an environment of this name.').waitFor();
      await name.fill('shop');
      await page.getByRole('button', { name: 'Rename environment' }).press('Enter');
      await page.waitForURL('**/e/shop/settings');
      await page.getByRole('button', { name: 'Mark as production', exact: true }).press('Enter');
      await page.locator('p.production').waitFor();
      await page.getByRole('button', { name: 'Unmark as production' }).press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('textbox').fill('sho');
      await dialog.getByRole('button', { name: 'Unmark as production' }).press('Enter');
      await dialog.getByText('This is not shop.').waitFor();
      await dialog.getByRole('textbox').fill('shop');
      await dialog.getByRole('button', { name: 'Unmark as production' }).press('Enter');
      await page.getByRole('button', { name: 'Mark as production', exact: true }).waitFor();
    });
    expect(await app.services.db('environments').where({ name: 'shop', is_production: false })).to.have.length(1);
  });
});
