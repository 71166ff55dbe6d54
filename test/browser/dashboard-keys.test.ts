import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { hashPassword } from '../../core/tenants/members/password.ts';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { canary } from '../support/canaries.ts';
import { changeStoredMember, type TestMember } from '../support/dashboard/members.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const PASSWORD_NEEDED = /status of 403/;
/** Evaluates to the markup of the page, the values of its fields, and everything that the browser stores for it. */
const KEPT = `JSON.stringify([
  document.documentElement.outerHTML,
  [...document.querySelectorAll('input, textarea')].map((one) => one.value),
  { ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie,
])`;

async function shell(command: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-c', `${command} --silent --fail-with-body`])).stdout;
}

describe('API keys in the dashboard, by keyboard', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());
  const password = canary('password of the dashboard');

  const visit = (path: string, body: (page: Page) => Promise<void>) => visitAs({ chromium, app }, { role: 'admin', path }, body);
  const names = async () =>
    (await app.services.db('api_keys').where({ revoked_at: null }).select('name')).map(({ name }) => name);

  it('creates a key, shows it once, rolls it and revokes it', () =>
    visit('e/dev/settings/keys', async (page) => {
      await page.getByRole('button', { name: 'Create API key' }).press('Enter');
      await page.getByLabel('Name', { exact: true }).focus();
      await page.keyboard.type('<b>nightly</b>');
      await page.getByLabel('Scopes').selectOption({ label: 'Read-only' });
      await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).press('Enter');
      const note = page.getByRole('dialog', { name: 'Copy this key now' });
      const first = (await note.getByRole('code').textContent()) ?? '';
      const asked = await fetch(`${app.url}/integrations`, { headers: { authorization: `Bearer ${first}` } });
      expect(asked.status).to.equal(200);
      const command = (await note.getByRole('region', { name: 'Try it' }).locator('pre').textContent()) ?? '';
      expect(command).to.contain(`'Authorization: Bearer ${first}'`);
      expect(await shell(command)).to.contain('"data":[');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'I’ve saved it' }).press('Enter');
      await note.waitFor({ state: 'detached' });
      await page.getByText(`••••${first.slice(-4)}`).waitFor();
      expect(await page.evaluate<string>(KEPT), 'the key is stored nowhere').to.not.contain(first);

      await page.getByRole('button', { name: 'Actions for <b>nightly</b>' }).press('Enter');
      const operations = page.getByRole('menuitem', { name: 'What it did' });
      expect(await operations.getAttribute('href')).to.match(/^e\/dev\/logs\?actor=api_key&actor_id=\d+$/);
      await page.getByRole('menuitem', { name: 'Roll key' }).press('Enter');
      await page.getByLabel('The old key keeps working for').selectOption({ label: 'No time: it stops within seconds' });
      await page.getByRole('dialog').getByRole('button', { name: 'Roll key' }).press('Enter');
      expect(await note.getByRole('code').textContent()).to.not.equal(first);

      await page.getByRole('button', { name: 'I’ve saved it' }).press('Enter');
      await note.waitFor({ state: 'detached' });
      const actions = page.getByRole('button', { name: 'Actions for <b>nightly</b>', exact: true });
      await until('the old one is gone', async () => (await actions.count()) === 1);
      await actions.press('Enter');
      await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
      await page.getByText('<b>nightly</b> is revoked.').waitFor();
      await until('nothing of it is left', async () => !(await names()).includes('<b>nightly</b>'));
    }));

  it('creates a key with scopes that are chosen one by one or as a group', () =>
    visit('e/dev/settings/keys', async (page) => {
      await page.getByRole('button', { name: 'Create API key' }).press('Enter');
      await page.getByLabel('Name', { exact: true }).fill('chosen');
      await page.getByLabel('Scopes').selectOption({ label: 'Custom' });
      const scripts = page.getByRole('group', { name: 'Scripts' });
      const whole = scripts.getByRole('checkbox', { name: 'Scripts' });
      await whole.press('Space');
      await scripts.getByRole('checkbox', { name: 'Write' }).press('Space');
      expect(await whole.evaluate((box) => 'indeterminate' in box && box.indeterminate)).to.equal(true);
      await page.getByRole('group', { name: 'Logs' }).getByRole('checkbox', { name: 'Read' }).press('Space');
      await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).press('Enter');
      await page.getByText('Copy this key now').waitFor();
      expect(await page.getByRole('region', { name: 'Try it' }).count(), 'it may list nothing').to.equal(0);
      await page.getByText('Scripts: list, read · Logs: all').waitFor();
      const row = await app.services.db('api_keys').where({ name: 'chosen' }).first('scopes');
      expect(row?.scopes).to.have.members(['environment:scripts:list', 'environment:scripts:read', 'environment:logs:read']);
    }));

  it('creates an account key after asking for the password, and warns before the last one is revoked', async () => {
    const hash = await hashPassword(password);
    // The member is changed before the page asks who is signed in, because a member without a password confirms in another way.
    const prepare = async (_profile: unknown, { member }: TestMember) => {
      await app.services.db('api_keys').where({ environment_id: null }).delete();
      await changeStoredMember(app.services, member.id, { password: hash });
      await app.services.db('member_sessions').where({ member_id: member.id }).update({ confirmed_until: null });
    };
    await visitAs({ chromium, app }, { path: 'account/keys', prepare }, async (page, { guard }) => {
      guard.expect(PASSWORD_NEEDED);
      await page.getByRole('button', { name: 'Create API key' }).press('Enter');
      await page.getByLabel('Name', { exact: true }).fill('provisioning');
      await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).press('Enter');
      await page.getByLabel('Your password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Confirm' }).press('Enter');
      const note = page.getByRole('dialog', { name: 'Copy this key now' });
      const secret = (await note.getByRole('code').textContent()) ?? '';
      const { status } = await fetch(`${app.url}/environments`, { headers: { authorization: `Bearer ${secret}` } });
      expect(status).to.equal(200);
      expect(await note.getByText('curl').count(), 'there is no example call, since the key opens no environment').to.equal(0);
      await page.getByRole('button', { name: 'I’ve saved it' }).press('Enter');

      await page.getByRole('button', { name: 'Actions for provisioning' }).press('Enter');
      await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter');
      await page.getByText('No other key has full access.').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter');
      await page.getByText('provisioning is revoked.').waitFor();
    });
  });
});
