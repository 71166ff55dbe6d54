import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { recordAudit } from '../../core/journal/audit-trail/record.ts';
import { insertEnvironment } from '../../core/tenants/environments/environment-store.ts';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('the account in the dashboard', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());

  it('adds an environment with its own callback URL, and shows its key once', () =>
    visitAs({ chromium, app }, { role: 'admin', path: 'account/environments' }, async (page, { guard }) => {
      guard.expect(/status of 400/);
      const callback = page.getByLabel('Callback URL');
      await page.getByRole('button', { name: 'Add environment' }).press('Enter');
      await page.getByLabel('Name', { exact: true }).fill('staging');
      await callback.fill('ftp://app.acme.example/oauth');
      await page.getByRole('dialog').getByRole('button', { name: 'Add environment' }).press('Enter');
      await page.locator('[name=callback_url][aria-invalid=true]').waitFor();
      await callback.fill('https://app.acme.example/oauth');
      await page.getByRole('dialog').getByRole('button', { name: 'Add environment' }).press('Enter');
      const key = await page.getByRole('dialog', { name: 'Copy this key now' }).getByRole('code').textContent();
      const headers = { authorization: `Bearer ${key}` };
      expect((await fetch(`${app.url}/integrations`, { headers })).status).to.equal(200);
      const row = await app.services.db('environments').where({ name: 'staging' }).first('callback_url', 'is_production');
      expect(row).to.deep.equal({ callback_url: 'https://app.acme.example/oauth', is_production: false });
    }));

  it('is in a menu for admins, as are the same settings of another environment', async () => {
    await insertEnvironment(app.services.db, { accountId: 1, name: 'live', isProduction: true });
    await visitAs({ chromium, app }, { role: 'admin', path: 'e/dev/webhooks/endpoints' }, async (page) => {
      await page.getByRole('link', { name: 'Quick start 1 of 6 steps done' }).waitFor();
      await page.getByRole('button', { name: 'Environment: dev' }).click();
      await page.getByRole('menuitemradio', { name: 'live' }).click();
      await page.waitForURL(`${app.url}/e/live/webhooks/endpoints`);
      await until('the title says so', async () => (await page.title()) === 'Endpoints · live · svc');
      await page.getByRole('button', { name: 'A admin' }).click();
      await page.getByRole('menuitem', { name: 'Members' }).click();
      await page.getByRole('button', { name: 'Invite somebody' }).waitFor();
    });
  });

  it('moves the focus to the first new entry of the audit trail, and filters entries by kind', async () => {
    const source = { actor: { kind: 'cli' } } as const;
    const entry = { source, accountId: 1, action: 'audit.export', subject: { type: 'audit_trail' } } as const;
    for (let count = 0; count < 51; count += 1) await recordAudit(app.services, entry);
    await visitAs({ chromium, app }, { role: 'admin', path: 'account/audit?action=audit.export' }, async (page) => {
      await page.getByText('50 shown').waitFor();
      await page.getByRole('button', { name: 'Load more' }).press('Enter');
      await page.getByText('51 entries').waitFor();
      await until('its row has the focus', () => page.evaluate<boolean>('document.activeElement.rowIndex === 51'));
      await page.getByLabel('Action').selectOption('member.join');
      await page.getByText('Nothing matches.').waitFor();
    });
  });

  it('exports the entries that its filters select, of which the trail then has an entry', async () => {
    const source = { actor: { kind: 'api_key', id: '7', name: 'backend' } } as const;
    const subject = { type: 'connection', id: 'first' } as const;
    const entry = { source, accountId: 1, action: 'connection.delete', subject, facts: { integration: 'notes' } } as const;
    await recordAudit(app.services, entry);
    await visitAs({ chromium, app }, { role: 'admin', path: 'account/audit' }, async (page) => {
      await page.getByLabel('Actor').selectOption('API key backend');
      await page.getByRole('button', { name: 'Remove Actor: API key backend' }).waitFor();
      await page.getByLabel('Period').selectOption('Last 24 hours');
      await page.getByText('API key backend deleted the connection first of notes').waitFor();
      await page.getByText('1 entry', { exact: true }).waitFor();
      const begun = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).press('Enter');
      const file = await begun;
      expect(file.suggestedFilename()).to.equal('audit.csv');
      const [, line] = (await readFile(await file.path(), 'utf8')).split('\r\n');
      expect(line).to.contain(',API key backend,connection.delete,deleted the connection first of notes,connection,first,,');
      await page.getByRole('button', { name: 'Remove Actor: API key backend' }).press('Enter');
      await page.getByText(/^actor: api_key · since: \S+ · actor id: 7$/).waitFor();
    });
  });

  it('shows admins how people sign in', () =>
    visitAs({ chromium, app }, { role: 'admin', path: 'account/instance' }, (page) =>
      page.getByText('There is no identity provider: people sign in by password.').waitFor(),
    ));
});
