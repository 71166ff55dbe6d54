import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { button, expectHeading } from '../support/browser-window.ts';
import { canary } from '../support/canaries.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { addSandbox } from '../support/sandbox.ts';
import { storeIntegration } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const LIST = 'e/dev/connections';
const IMPORT = `${LIST}/new?way=import&integration=acme`;
const KEPT = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href])';
/** The console message for requests that these tests make invalid on purpose. */
const REFUSED = /status of 400/;

describe('adding a connection in the dashboard (D8)', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());

  before(async () => {
    await storeIntegration(app.api, 'acme');
    await addSandbox(app);
  });
  beforeEach(async () => {
    await app.services.db('connections').delete();
  });

  const asDeveloper = (path: string, body: (page: Page) => Promise<void>) =>
    visitAs({ chromium, app }, { role: 'developer', path }, (page, { guard }) => {
      guard.expect(REFUSED);
      return body(page);
    });
  const chooseIntegration = async (page: Page, key: string) => {
    await page.getByRole('button', { name: /^Integration / }).click();
    await page.getByRole('dialog').getByLabel('search').fill(key);
    await page.getByRole('dialog').getByRole('button', { name: key }).click();
  };
  const hint = (page: Page) => page.getByText('Anyone with this link can connect an account until');

  it('leads from an empty list through the connect window in a separate tab to a row of the list', () =>
    asDeveloper(LIST, async (page) => {
      await page.getByRole('link', { name: 'Connect a test account' }).click();
      await expectHeading(page, 'Add connection');
      await chooseIntegration(page, 'sandbox-oauth2');
      await page.getByLabel('Tag name').fill('plan');
      await page.getByLabel('Tag value').fill('free');
      await button(page, 'Add tag').click();
      const opened = page.context().waitForEvent('page');
      await button(page, 'Open Connect UI').click();
      const tab = await opened;
      await button(tab, 'Continue to Sandbox').click();
      await button(tab, 'Allow').click();
      await tab.getByText('You can close this tab.').waitFor();
      await tab.close();
      const said = page.getByRole('status').filter({ hasText: 'Connected as' });
      await said.getByRole('link', { name: 'Ada Lovelace' }).click();
      await expectHeading(page, 'A developer');
      await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Connections' }).click();
      await page.getByRole('row').getByRole('link', { name: 'A developer' }).waitFor();
      const [{ tags }] = await app.services.db('connections').select('tags');
      expect(tags).to.include({ end_user_display_name: 'A developer', plan: 'free' });
      expect(tags.end_user_id).to.match(/^test_\d+$/);
    }));

  it('presets connection configuration only when it is a JSON object', () =>
    asDeveloper(`${LIST}/new?integration=acme`, async (page) => {
      const editor = page.getByLabel('Connection configuration');
      await editor.fill('["acme"]');
      await page.getByLabel('Tag name').focus();
      await page.getByText('This has to be an object').waitFor();
      expect(await button(page, 'Open Connect UI').isDisabled()).to.equal(true);
      await editor.fill('{"subdomain": "northwind"}');
      const request = page.waitForRequest('**/connect/sessions');
      await button(page, 'Copy connect link').click();
      await hint(page).waitFor();
      const { integrations_config_defaults: defaults } = (await request).postDataJSON();
      expect(defaults).to.deep.equal({ acme: { connection_config: { subdomain: 'northwind' } } });
    }));

  it('copies a link from the menu of the list', () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    return visitAs({ chromium, app }, { path: LIST, permissions }, async (page) => {
      await button(page, 'Add connection').click();
      await page.getByRole('menuitem', { name: 'Copy connect link' }).click();
      await Promise.all([page.getByText('The link is copied.').waitFor(), hint(page).waitFor()]);
      const link = await page.getByRole('dialog').getByRole('link', { name: 'Open link' }).getAttribute('href');
      expect(link).to.contain('/connect/l#');
      expect(await page.evaluate<string>('navigator.clipboard.readText()')).to.equal(link);
    });
  });

  it('imports credentials after a correction, opens the new connection, and stores no credentials in the browser', () =>
    asDeveloper(LIST, async (page) => {
      const token = canary('token that was typed');
      await button(page, 'Add connection').click();
      await page.getByRole('menuitem', { name: 'Import credentials' }).click();
      await chooseIntegration(page, 'acme');
      await button(page, 'Import').click();
      await page.getByText('Access token is missing.').waitFor();
      await page.getByLabel('Access token').fill(token);
      await page.getByLabel('Expires at').fill('tomorrow');
      await page.getByLabel('Connection ID').fill('ada');
      await button(page, 'Import').click();
      await page.locator('[aria-invalid=true]:focus').waitFor();
      expect(await page.getByLabel('Access token').inputValue()).to.equal(token);
      expect(await app.services.db('connections').select()).to.deep.equal([]);
      await page.getByLabel('Expires at').fill('2030-12-31T09:00:00Z');
      await page.getByLabel('Metadata').fill('{"plan": "pro"}');
      expect(await page.evaluate<string>(KEPT)).to.not.contain(token);
      await button(page, 'Import').click();
      await page.getByRole('link', { name: 'ada' }).click();
      await expectHeading(page, 'ada');
      expect(await page.evaluate<string>(KEPT)).to.not.contain(token);
      expect(await page.content()).to.not.contain(token);
      const { body } = await app.api.get('/connections/ada?provider_config_key=acme');
      expect([body.credentials.access_token, body.metadata]).to.deep.equal([token, { plan: 'pro' }]);
      await page.getByRole('link', { name: 'Connections' }).first().click();
      await page.getByRole('row').getByRole('link', { name: 'ada' }).waitFor();
    }));

  it('accepts a request body of the API and names the path of every fault in it', () =>
    asDeveloper(IMPORT, async (page) => {
      const body = { provider_config_key: 'acme', connection_id: 'grace', credentials: { type: 'OAUTH2', access_token: '' } };
      const json = page.getByLabel('JSON', { exact: true });
      await button(page, 'Paste JSON').click();
      await json.fill('{"provider_config_key": ');
      await button(page, 'Import').click();
      await page.getByText('This is not valid JSON').waitFor();
      await json.fill(JSON.stringify({ ...body, other: 1 }));
      await button(page, 'Import').click();
      await page.getByText('At credentials.access_token:').waitFor();
      const token = canary('token that was pasted');
      await json.fill(JSON.stringify({ ...body, credentials: { type: 'OAUTH2', access_token: token } }));
      await button(page, 'Import').click();
      await page.getByRole('link', { name: 'grace' }).waitFor();
      expect(await page.evaluate<string>(KEPT)).to.not.contain(token);
      await until('the link has the focus', () => page.evaluate<boolean>(`document.activeElement.textContent === 'grace'`));
    }));

  it('is not for viewers', () =>
    visitAs({ chromium, app }, { role: 'viewer', path: IMPORT }, async (page) => {
      await page.getByText('Connections are added by developers and admins.').waitFor();
      expect(await page.getByRole('button', { name: 'Import' }).count()).to.equal(0);
      await page.getByRole('link', { name: 'Connections' }).first().click();
      await page.getByText('No connections yet').waitFor();
      expect(await page.getByText('Copy connect link').count()).to.equal(0);
      expect(await page.getByText('From your code').count()).to.equal(0);
      expect(await page.getByRole('button', { name: 'Add connection' }).count()).to.equal(0);
    }));
});
