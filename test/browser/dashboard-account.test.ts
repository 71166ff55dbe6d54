import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { use } from '../support/use.ts';

describe('the account in the dashboard', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());

  it('adds an environment with a callback URL of its own, and shows its key once', () =>
    visitAs({ chromium, app }, { role: 'admin', path: 'account/environments' }, async (page, { guard }) => {
      guard.expect(/status of 400/);
      const callback = page.getByLabel('Callback URL');
      await page.getByLabel('Name', { exact: true }).fill('staging');
      await callback.fill('ftp://app.acme.example/oauth');
      await page.getByRole('button', { name: 'Add environment' }).press('Enter');
      await page.locator('[name=callback_url][aria-invalid=true]').waitFor();
      await callback.fill('https://app.acme.example/oauth');
      await page.getByRole('button', { name: 'Add environment' }).press('Enter');
      const key = await page.getByRole('alert').filter({ hasText: 'Copy this key now' }).getByRole('code').textContent();
      const headers = { authorization: `Bearer ${key}` };
      expect((await fetch(`${app.url}/integrations`, { headers })).status).to.equal(200);
      const row = await app.services.db('environments').where({ name: 'staging' }).first('callback_url', 'is_production');
      expect(row).to.deep.equal({ callback_url: 'https://app.acme.example/oauth', is_production: false });
    }));

  it('says to admins how people sign in', () =>
    visitAs({ chromium, app }, { role: 'admin', path: 'account/instance' }, (page) =>
      page.getByText('Not configured: people sign in by password.').waitFor(),
    ));
});
