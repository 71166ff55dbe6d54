import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import {
  BELOW,
  BROKEN,
  FAILED_CALL,
  FOUND,
  PAGE,
  PRODUCTION,
  PRODUCTION_PAGE,
  RECORD,
  SESSION,
} from '../support/dashboard/connection-screens.ts';
import type { StubbedApi } from '../support/dashboard/stub-api.ts';
import { visitScreen } from '../support/dashboard/visit.ts';
import { startTenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const MARKUP = '<img src=x onerror="document.title=\'run\'"><b>Margaret</b>';
const PIXEL = 'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

describe('the page of a connection', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);

  const visit = (tab: string, api: StubbedApi, body: (page: Page) => Promise<void>) =>
    visitScreen(chromium, { url: app.url, screen: { path: `${PAGE}/${tab}`, api: { ...FOUND, ...api } } }, body);

  it('shows names and values of its user as text', () => {
    const tags = { end_user_display_name: MARKUP, end_user_email: `${MARKUP}@x.example` };
    const marked = { ...RECORD, tags, metadata: { [MARKUP]: MARKUP } };
    return visit('overview', { [BELOW]: marked }, async (page) => {
      await page.getByRole('heading', { level: 1, name: MARKUP, exact: true }).waitFor();
      await page.getByText(`end_user_email: ${MARKUP}@x.example`).waitFor();
      expect(await page.locator('main b:text-is("Margaret")').count()).to.equal(0);
    });
  });

  it('shows credentials only on request, and hides them again', () =>
    visit('overview', {}, async (page) => {
      await page.getByText('Credentials', { exact: true }).waitFor();
      expect(await page.getByText('rt_4f2a').count()).to.equal(0);
      await page.getByRole('button', { name: 'Reveal' }).click();
      await page.getByText('rt_4f2a').waitFor();
      await page.getByRole('button', { name: 'Hide' }).click();
      await page.getByText('rt_4f2a').waitFor({ state: 'detached' });
    }));

  it('tells developers who may read credentials in production, and lets them refresh credentials', () => {
    const screen = { path: `${PRODUCTION_PAGE}/overview`, api: PRODUCTION };
    return visitScreen(chromium, { url: app.url, screen }, async (page) => {
      await page.getByText('In production only admins read credentials. Ask an admin.').waitFor();
      await page.getByRole('button', { name: 'Refresh now' }).waitFor();
      expect(await page.getByRole('button', { name: 'Reveal' }).count()).to.equal(0);
    });
  });

  it('tells developers who may try calls in production', () => {
    const screen = { path: `${PRODUCTION_PAGE}/proxy`, api: PRODUCTION };
    return visitScreen(chromium, { url: app.url, screen }, async (page) => {
      await page.getByText('In production only admins try calls', { exact: false }).waitFor();
      expect(await page.getByRole('button', { name: 'Send request' }).count()).to.equal(0);
    });
  });

  it('filters its log, and leads to the webhooks that were sent about it', () => {
    const asked: string[] = [];
    const list: StubbedApi[string] = ({ query }) => {
      asked.push(['type', 'status'].map((name) => query.get(name)).join(' '));
      return Object(FOUND['e/dev/logs']);
    };
    return visit('logs', { 'e/dev/logs': list }, async (page) => {
      await page.getByLabel('Type').selectOption('webhook');
      await page.getByLabel('Status').selectOption('failure');
      await until('both are asked for', () => asked.at(-1) === 'webhook failure');
      await page.getByRole('link', { name: 'Webhooks sent' }).click();
      await page.getByText(`Connection: ${RECORD.connection_id}`).waitFor();
      await page.getByText('Integration: acme-desk').waitFor();
    });
  });

  it('saves all tags, and all metadata', () => {
    const sent: unknown[] = [];
    const take: StubbedApi[string] = ({ body }) => {
      sent.push(body);
      return { success: true };
    };
    return visit('overview', { [`PATCH ${BELOW}`]: take, 'POST e/dev/connections/metadata': take }, async (page) => {
      await page.getByRole('button', { name: 'Remove long' }).click();
      await page.getByRole('button', { name: 'plan: pro' }).click();
      await page.getByText('Replaces the value of plan.').waitFor();
      await page.getByLabel('Tag value').fill('free');
      await page.getByRole('button', { name: 'Save tags' }).click();
      await until('tags were sent', () => sent.length === 1);
      await page.getByRole('link', { name: 'Configuration' }).click();
      await page.getByRole('textbox', { name: 'Metadata' }).fill('{"seats": 13}');
      await page.getByRole('button', { name: 'Save metadata' }).click();
      await until('metadata were sent', () => sent.length === 2);
      const { long: _, ...others } = RECORD.tags;
      const tags = { ...others, plan: 'free' };
      const { connection_id, provider_config_key } = RECORD;
      expect(sent).to.deep.equal([{ tags }, { connection_id, provider_config_key, metadata: { seats: 13 } }]);
    });
  });

  it('says what is wrong with a typed tag, and how its key will be stored', () =>
    visit('overview', {}, async (page) => {
      const key = page.getByLabel('Tag name');
      const fault = page.getByText('begin with a letter');
      const save = page.getByRole('button', { name: 'Save tags' });
      await key.fill('1');
      expect(await fault.count()).to.equal(0);
      await key.press('Tab');
      await fault.waitFor();
      await key.fill('Region');
      await fault.waitFor({ state: 'detached' });
      await page.getByText('→ region').waitFor();
      expect(await save.isDisabled()).to.equal(true);
      await page.getByLabel('Tag value').fill('eu');
      expect(await save.isDisabled()).to.equal(false);
    }));

  it('sets a separate webhook URL, or returns to that of the environment', () => {
    const sent: unknown[] = [];
    const take: StubbedApi[string] = ({ body }) => {
      sent.push(body);
      return { success: true };
    };
    return visit('settings', { [`PATCH ${BELOW}`]: take }, async (page) => {
      const url = page.getByLabel('Webhook URL of this connection');
      const save = page.getByRole('button', { name: 'Save', exact: true });
      for (const wanted of ['https://apollo.example/hooks', '']) {
        await url.fill(wanted);
        await save.press('Enter');
        await until('the URL was sent', () => sent.length > 0);
        expect(sent.splice(0)).to.deep.equal([{ webhook_url_override: wanted }]);
        await until('the form is as saved', () => save.isDisabled());
      }
    });
  });

  it('tries a call, and shows the response as text', () => {
    const sent: unknown[] = [];
    const answer = {
      request_id: 'req_7f3a21c9',
      status: 200,
      duration_ms: 12,
      headers: { 'x-markup': MARKUP },
      body: MARKUP,
      truncated: false,
    };
    const take: StubbedApi[string] = ({ body }) => {
      sent.push(body);
      return { data: answer };
    };
    return visit('proxy', { 'POST e/dev/proxy-try': take }, async (page) => {
      await page.getByLabel('Method').selectOption('POST');
      await page.getByLabel('Path').fill('/tickets?page=2');
      await page.getByLabel('Headers').fill('Accept: text/csv\nnothing');
      await page.getByLabel('Body').fill('{"a":1}');
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.getByText('Line 2 is not a name, a colon and a value.').waitFor();
      await page.getByLabel('Headers').fill('Accept: text/csv\nX-Time: 10:42');
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.locator('pre', { hasText: MARKUP }).waitFor();
      await page.locator('pre', { hasText: "/proxy/tickets?page=2' " }).waitFor();
      const { connection_id, provider_config_key } = RECORD;
      const headers = { Accept: 'text/csv', 'X-Time': '10:42' };
      const named = { connection_id, provider_config_key };
      expect(sent).to.deep.equal([{ ...named, method: 'POST', path: '/tickets?page=2', headers, body: '{"a":1}' }]);
    });
  });

  it('says why a call that was tried has failed, and leads to its entry in the log', () =>
    visit('proxy', FAILED_CALL, async (page) => {
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.getByRole('heading', { name: 'Cause: DNS' }).waitFor();
      await page.getByText('getent hosts auth.acme.example').waitFor();
      await page.getByRole('link', { name: 'View log' }).click();
      await page.getByRole('heading', { level: 1, name: 'This machine cannot resolve auth.acme.example' }).waitFor();
    }));

  it('says why the user has to sign in again, and leads there in a tab or by a link', () => {
    const reconnect = { 'POST e/dev/connect/sessions/reconnect': { data: { ...SESSION, connect_link: `${app.url}/docs` } } };
    return visit('', { ...BROKEN, ...reconnect }, async (page) => {
      await page.getByRole('heading', { name: 'Acme Desk no longer accepts these credentials. Calls fail with 424.' }).waitFor();
      await page.getByText('The provider answered invalid_grant.').waitFor();
      await page.getByText('send Margaret Hamilton the reconnect link').waitFor();
      expect(page.url()).to.match(/\/overview$/);
      const opened = page.context().waitForEvent('page');
      await page.getByRole('button', { name: 'Reconnect', exact: true }).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Reconnect now' }).click();
      await (await opened).waitForURL('**/docs');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Copy reconnect link' }).click();
      await page.getByRole('dialog').getByText(`${app.url}/docs`).waitFor();
    });
  });

  it('shows the icon of its user’s company, or initials', () =>
    visit('overview', {}, async (page) => {
      await page.locator('.head .logo', { hasText: 'MH' }).waitFor();
      await page.route('**/api/ui/e/dev/company-logo/apollo.example', (route) =>
        route.fulfill({ contentType: 'image/gif', body: Buffer.from(PIXEL, 'base64') }),
      );
      await page.reload();
      await until('it is drawn', () => page.evaluate<boolean>(`document.querySelector('img[src*=apollo]')?.naturalWidth === 1`));
    }));
});
