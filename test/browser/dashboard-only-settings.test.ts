import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { Deliverer } from '../../core/webhook-delivery/deliverer.ts';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { button } from '../support/browser-window.ts';
import { rememberSecret } from '../support/canaries.ts';
import { connectUrl, createSession } from '../support/connect.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { serve } from '../support/loopback-server.ts';
import { addSandbox, connectSandbox } from '../support/sandbox.ts';
import { storeIntegration } from '../support/stored.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const CLIPBOARD = ['clipboard-read', 'clipboard-write'];

describe('what only the dashboard can change (checks 19 and 20)', function () {
  const chromium = useChromium(this);
  const app = use(this, () => startApp());
  const received: string[] = [];
  const application = use(this, () =>
    serve(async (request, response) => {
      received.push((await request.toArray()).join(''));
      response.writeHead(204).end();
    }),
  );
  use(this, async () => {
    const deliverer = new Deliverer(app.services);
    deliverer.start();
    return deliverer;
  });
  let key = '';

  before(async () => {
    key = await addSandbox(app);
    await storeIntegration(app.api, 'notes');
  });

  const visit = (section: string, body: (page: Page) => Promise<void>) =>
    visitAs({ chromium, app }, { path: `e/dev/settings/${section}`, permissions: CLIPBOARD }, body);
  const save = async (page: Page) => {
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await button(page, 'Save').click();
    expect((await saved).status()).to.equal(200);
  };

  it('shows a key once, copies it unchanged, and restricts it to creating sessions', () =>
    visit('keys', async (page) => {
      await button(page, 'Create API key').click();
      await page.getByLabel('Name', { exact: true }).fill('Window');
      await page.getByLabel('Scopes').selectOption({ label: 'Connect UI only' });
      await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click();
      const shown = page.getByRole('dialog', { name: 'Copy this key now' });
      const secret = rememberSecret('key of the window', (await shown.getByRole('code').textContent()) ?? '');
      expect(await shown.getByText('curl').count(), 'there is no example call, since the key may list nothing').to.equal(0);
      await shown.getByRole('button', { name: /^Copy/ }).click();
      await until('it is on the clipboard', async () => (await page.evaluate('navigator.clipboard.readText()')) === secret);
      await page.reload();
      await page.getByText('Window', { exact: true }).waitFor();
      expect(await page.content()).to.not.contain(secret);
      expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).to.not.contain(secret);
      const caller = app.client(secret);
      expect((await caller.post('/connect/sessions', { tags: { end_user_id: 'u-1' } })).status).to.equal(201);
      expect((await caller.post('/connections', { provider_config_key: key })).status).to.equal(403);
    }));

  it('sends webhooks about new connections to the URL on the page once it is saved', async () => {
    await visitAs({ chromium, app }, { path: 'e/dev/webhooks/endpoints' }, async (page) => {
      await page.getByLabel('Webhook URL', { exact: true }).fill(application.url);
      await save(page);
      await connectSandbox(app, { key });
      expect(await app.services.db('webhook_messages').select()).to.deep.equal([]);
      await page.getByLabel('A connection is created or reconnected, or connecting fails').check();
      await save(page);
    });
    const { connectionId } = await connectSandbox(app, { key });
    await until('it was told', () => received.length === 1);
    expect(JSON.parse(received[0] ?? '')).to.include({ type: 'auth', operation: 'creation', connectionId });
  });

  it('sends users back to the callback URL on the page, and to the service’s own if there is none', () =>
    visit('callback', async (page) => {
      const redirectUri = async () => {
        const token = await createSession(app, { allowed_integrations: ['notes'] });
        const { headers } = await fetch(connectUrl(app, { key: 'notes', token }), { redirect: 'manual' });
        return new URL(headers.get('location') ?? '', app.url).searchParams.get('redirect_uri');
      };
      await page.getByLabel('Your callback URL').fill(`${application.url}/cb`);
      await button(page, 'Check redirect').click();
      await page.getByText('It does not redirect: it answered 204.').waitFor();
      await page.getByLabel('Your callback URL').fill('https://app.example/cb');
      await page.getByText('location = /cb {').waitFor();
      expect(await page.getByText('It does not redirect').count()).to.equal(0);
      await save(page);
      await until('it is used', async () => (await redirectUri()) === 'https://app.example/cb');
      await page.getByLabel('Your callback URL').fill('');
      await save(page);
      await until('our own is used', async () => (await redirectUri()) === `${app.url}/oauth/callback`);
    }));
});
