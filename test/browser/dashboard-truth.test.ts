import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createKey } from '../../core/tenants/api-keys/api-keys.ts';
import { startApp } from '../support/app.ts';
import { useChromium } from '../support/browser.ts';
import { authorize, type Connected, connectAgain, createIntegration, createSession, throughProxy } from '../support/connect.ts';
import { signedInAs } from '../support/dashboard/members.ts';
import { visitAs } from '../support/dashboard/visit-as.ts';
import { cloneDatabase } from '../support/database.ts';
import { relayTo } from '../support/database-relay.ts';
import { startFakeApplication } from '../support/fake-application.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const EXPIRED_MS = 3_601_000;
const GIB = 2 ** 30;
const PATH = '/me';

describe('what the dashboard says in an outage is what is so', function () {
  const chromium = useChromium(this);
  const disk = { total: 100 * GIB, free: 60 * GIB };
  const provider = use(this, () => startFakeProvider({ rotation: 'none' }));
  const application = use(this, startFakeApplication);
  const relay = use(this, async () => relayTo(await cloneDatabase()));
  const app = use(this, () => startApp({ database: relay.database, disk: async () => disk }));
  let connected: Connected;
  let integration: string;

  before(async () => {
    await createIntegration(app, provider);
    connected = await connectAgain(app);
    integration = (await app.api.get('/integrations/fake')).body.data.display_name;
  });

  const visit = (path: string, body: (page: Page) => Promise<void>) =>
    visitAs({ chromium, app }, { role: 'admin', path }, (page) => body(page));
  const pageOf = ({ key, connectionId }: Connected) => `e/dev/connections/${key}/${connectionId}/overview`;
  /** Reads what needs attention, as it is on screen. */
  const problems = (page: Page) => page.locator('.attention li .strong').allTextContents();
  /** Reads a fact about a connection in trouble. */
  const fact = (page: Page, name: string) => page.locator('.trouble dl > div', { hasText: name }).locator('dd').textContent();
  const call = () => throughProxy(app, connected, { path: PATH });

  it('all is well: nothing needs attention, the connection is healthy, and calls reach the provider', async () => {
    expect((await call()).status).to.equal(200);
    await visit('e/dev/home', async (page) => {
      await page.getByText('Nothing needs you right now.').waitFor();
      expect(await problems(page)).to.deep.equal([]);
    });
    await visit(pageOf(connected), async (page) => {
      await page.getByText('No refresh is recorded').waitFor();
      expect(await page.locator('.trouble').count()).to.equal(0);
    });
  });

  it('an API key has expired: its name, and that callers get 401', async () => {
    const { db } = app.database;
    const owner = { accountId: app.accountId, environmentId: app.environmentId };
    const expiresAt = new Date(Date.now() + 2_500);
    const wanted = { name: 'backend-eu', scopes: ['environment:connections:list'], expiresAt, createdBy: undefined };
    const { secret } = await createKey(app.services, owner, wanted);
    const client = app.client(secret);
    expect((await client.get('/connections')).status).to.equal(200);
    await until(
      'its use is recorded',
      async () => (await db('api_keys').where({ name: 'backend-eu' }).first()).last_used_at,
      15_000,
    );
    await until('it has expired', async () => (await client.get('/connections')).status === 401);
    await visit('e/dev/home', async (page) => {
      await page.getByText('The API key “backend-eu” was in use and has ended').waitFor();
      await page.getByText('Whoever still uses it gets 401.').waitFor();
    });
  });

  it('the provider is down: since when, that calls fail, with what, why, and when the next attempt is', async () => {
    provider.always('token', { delivery: 'reset' });
    await app.clock.advance(EXPIRED_MS, app.database.db);
    const { status } = await call();
    expect(status).to.equal(503);
    await app.services.activity.flush();
    await visit(pageOf(connected), async (page) => {
      await page.getByRole('heading', { name: `Calls fail with ${status}.` }).waitFor();
      expect(await fact(page, 'Calls')).to.equal(`Fail with ${status}`);
      expect(await fact(page, 'Token')).to.match(/^Expired \d+ (s|min) ago$/);
      expect(await fact(page, 'Next attempt')).to.match(/, attempt [2-9]$/);
      await page.getByText(/^127\.0\.0\.1:\d+ ended the network connection without a response/).waitFor();
      await page.getByRole('link', { name: 'View log' }).click();
      await page.getByRole('heading', { name: 'Cause: the network connection was ended' }).waitFor();
      await page.getByText(`curl -sv ${new URL(provider.url).origin}/ -o /dev/null`, { exact: true }).waitFor();
    });
    await visit('e/dev/home', async (page) => {
      await page.getByText(`1 connection of ${integration} cannot be refreshed`).waitFor();
      await page.getByText('Calls of 1 connection fail with 503.').waitFor();
    });
    provider.always('token', {});
    await app.clock.advance(EXPIRED_MS, app.database.db);
    expect((await call()).status).to.equal(200);
    await visit(pageOf(connected), async (page) => {
      await page.getByText('Last refreshed').waitFor();
      expect(await page.locator('.trouble').count()).to.equal(0);
      expect(await page.getByText('No refresh is recorded').count()).to.equal(0);
    });
  });

  it('the user has withdrawn the access: that only a new sign-in helps, and that the application was told', async () => {
    const { ui } = await signedInAs(app, 'admin');
    await ui.patch('/api/ui/e/dev/settings', {
      webhook_url: `${application.url}/hook`,
      on_refresh: true,
      on_new_connection: true,
    });
    provider.always('token', {
      response: { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":"invalid_grant"}' },
    });
    await app.clock.advance(EXPIRED_MS, app.database.db);
    const { status } = await call();
    expect(status).to.equal(424);
    app.services.deliverer.start();
    await until('the application is told', async () => application.ledger.of('webhook').length > 0);
    await until(
      'the delivery is recorded',
      async () => (await app.database.db('webhook_messages').where({ status: 'delivered' })).length > 0,
    );
    await visit(pageOf(connected), async (page) => {
      await page
        .getByRole('heading', { name: `${integration} no longer accepts these credentials. Calls fail with ${status}.` })
        .waitFor();
      expect(await fact(page, 'Next attempt')).to.equal('None by itself');
      await page.locator('.trouble dd', { hasText: /^Told .*, delivered$/ }).waitFor();
    });
  });

  it('a sign-in has failed: the webhook about it is not listed as a new connection', async () => {
    const token = await createSession(app, { allowed_integrations: ['fake'] });
    expect((await authorize(app, { token })).status).to.equal(400);
    provider.always('token', {});
    await visit('e/dev/webhooks/sent', async (page) => {
      await page.getByText('Connecting failed').waitFor();
      expect(await page.getByRole('row').getByText('New connection', { exact: true }).count()).to.equal(0);
    });
  });

  it('the application is down: to which host webhooks do not get, and how many wait', async () => {
    const { db } = app.database;
    application.always('webhook', { response: { status: 500 } });
    for (let count = 0; count < 12; count += 1) await app.api.post('/webhook-messages/test', { type: 'auth' });
    const host = new URL(application.url).host;
    const waiting = async () => Number((await db('webhook_messages').where({ status: 'pending' }).count())[0]?.['count']);
    await until('the breaker opens', async () => (await db('webhook_targets').first())?.failures >= 10);
    await visit('e/dev/home', async (page) => {
      await page.getByText(`${host} does not take webhooks: ${await waiting()} wait`).waitFor();
    });
    application.always('webhook', {});
  });

  it('the disk is nearly full: how full, and what is left', async () => {
    disk.free = 4.1e9;
    await visit('e/dev/home', (page) => page.getByText('The disk is 96 % full: 4.1 GB left').waitFor());
    disk.free = 60 * GIB;
  });

  it('the database is away: that nothing could be loaded and why, and the page recovers', () =>
    visitAs({ chromium, app }, { role: 'admin', path: 'e/dev/connections' }, async (page, { guard }) => {
      guard.expect(/status of 503/);
      await page.getByRole('row').nth(1).waitFor();
      relay.freeze();
      await page.getByRole('link', { name: 'Logs' }).click();
      const failure = page.getByRole('alert').filter({ hasText: 'database' });
      await failure.waitFor();
      expect((await app.client().get('/ready')).status).to.equal(503);
      relay.restore();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('row').nth(1).waitFor();
    }));
});
