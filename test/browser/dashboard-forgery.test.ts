import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { useChromium } from '../support/browser.ts';
import { signedInAs } from '../support/dashboard/members.ts';
import { serve } from '../support/loopback-server.ts';
import { startTenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/** Requests that would each change something if the service accepted them. */
const CHANGES = [
  ['POST', 'e/dev/integrations', { unique_key: 'forged', provider: 'sandbox-oauth2' }],
  ['PATCH', 'e/dev/settings', { callback_url: 'https://evil.example/cb' }],
  ['POST', 'e/dev/keys', { name: 'forged', scopes: ['environment:proxy'] }],
  ['POST', 'account/invitations', { email: 'mallory@evil.example', role: 'viewer' }],
  ['POST', 'logout', {}],
] as const;

describe('a page of another site, open beside the dashboard (check 21)', function () {
  const chromium = useChromium(this);
  const app = use(this, startTenant);
  /** A server that the hostile page reaches as `localhost`, which is another site than 127.0.0.1. */
  const site = use(this, () => serve((_, response) => response.setHeader('content-type', 'text/html').end('<!doctype html>')));

  async function visit(body: (page: Page, profile: BrowserContext) => Promise<void>): Promise<void> {
    const { cookie } = await signedInAs(app, 'admin');
    const [name = '', value = ''] = cookie.split('=');
    const hostile = `http://localhost:${site.port}`;
    await chromium.profile({ origins: [app.url, hostile] }, async (profile, guard) => {
      // The console shows the refusals of both the browser and the service.
      guard.expect(/CORS|status of 4|ERR_|frame-ancestors|Framing/);
      await profile.addCookies([{ name, value, url: app.url, httpOnly: true, sameSite: 'Lax' }]);
      const page = await profile.newPage();
      await page.goto(hostile);
      await body(page, profile);
    });
  }

  const state = async () => {
    const { db } = app.services;
    const tables = ['integrations', 'environments', 'api_keys', 'member_links', 'member_sessions'];
    const rows = await Promise.all(tables.map((table) => db(table).select()));
    return JSON.stringify(rows.slice(0, 4)) + rows[4]?.length;
  };

  it('changes nothing by requests of its scripts', () =>
    visit(async (page) => {
      const before = await state();
      for (const [method, path, body] of CHANGES)
        for (const mode of ['cors', 'no-cors'])
          await page.evaluate(
            ([url, init]) =>
              fetch(url, init as RequestInit)
                .catch(() => undefined)
                .then(() => undefined),
            [
              `${app.url}/api/ui/${path}`,
              { method: mode === 'cors' ? method : 'POST', mode, credentials: 'include', body: JSON.stringify(body) },
            ] as const,
          );
      expect(await state()).to.equal(before);
    }));

  it('changes nothing by forms, which browsers send anywhere', () =>
    visit(async (page, profile) => {
      const before = await state();
      for (const [, path] of CHANGES) {
        const answered = profile.waitForEvent('response', (response) => response.url().endsWith(path));
        await page.goto(`http://localhost:${site.port}`);
        await page.setContent(
          `<form method="post" enctype="text/plain" action="${app.url}/api/ui/${path}"><input name='{"name":"forged","x":"' value='"}'><button>Win</button></form>`,
        );
        await page.getByRole('button').click();
        expect((await answered).status()).to.be.within(400, 499);
      }
      expect(await state()).to.equal(before);
    }));

  it('cannot frame a page of the dashboard', () =>
    visit(async (page) => {
      await page.setContent(`<iframe src="${app.url}/e/dev/home"></iframe>`);
      await until('the frame is refused', async () => page.frames().some((frame) => frame.url().startsWith('chrome-error:')));
    }));
});
