import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { updateConnectSettings } from '../../core/tenants/environments/connect-settings-store.ts';
import { startApp } from '../support/app.ts';
import { connectionsOf } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { createIntegration, createSession } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { serve } from '../support/loopback-server.ts';
import { addSandbox } from '../support/sandbox.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const SCRIPT = new URL('../support/existing-page.js', import.meta.url);
const PAGE =
  '<!doctype html><link rel="icon" href="data:,"><button id="auth">Connect</button><button id="open">Open</button><script src="/page.js"></script>';
const CLOSED_MS = 10_000;

interface Heard {
  readonly frames: readonly Readonly<Record<string, unknown>>[];
  readonly messages: readonly { readonly type: string; readonly payload?: Readonly<Record<string, string>> }[];
}

describe('a page with the client of another product, in Chromium', function () {
  this.timeout(60_000);
  const chromium = useChromium(this);
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startApp({ env: { SVC_CLIENT_PREFIX: 'Acme' } }));
  const site = use(this, () =>
    serve(async ({ url = '/' }, response) => {
      const isScript = url === '/page.js';
      response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' });
      response.end(isScript ? await readFile(SCRIPT) : PAGE);
    }),
  );

  before(() => createIntegration(app, provider));

  const origins = () => [app.url, provider.url, site.url];

  async function openPage(profile: { newPage(): Promise<Page> }, session: object = {}): Promise<Page> {
    const page = await profile.newPage();
    const settings = { host: app.url, key: 'fake', token: await createSession(app, { ...session }), prefix: 'acme' };
    await page.goto(`${site.url}/?${new URLSearchParams(settings)}`);
    return page;
  }

  const heard = (page: Page) => page.evaluate('globalThis.heard') as Promise<Heard>;

  /** Opens the provider's window with a click and returns its page. */
  async function authorize(page: Page): Promise<Page> {
    const opened = page.waitForEvent('popup');
    await page.click('#auth');
    return opened;
  }

  it('learns of its connection through the socket and from the window, which closes', async () => {
    await chromium.profile({ origins: origins() }, async (profile) => {
      const page = await openPage(profile);
      const popup = await authorize(page);
      if (!popup.isClosed()) await popup.waitForEvent('close', { timeout: CLOSED_MS });
      await page.waitForFunction('globalThis.heard.frames.length === 2 && globalThis.heard.messages.length === 1');
      const { frames, messages } = await heard(page);
      expect(frames.at(-1)).to.include({ message_type: 'success', provider_config_key: 'fake', is_pending: false });
      expect(messages).to.deep.equal([{ type: 'acme_oauth_callback_success' }]);
    });
  });

  it('learns why connecting failed, and leaves the window open for the person to read it', async () => {
    provider.next('authorize', { members: { error: 'access_denied', code: undefined } });
    await chromium.profile({ origins: origins() }, async (profile, guard) => {
      guard.expect(/400/);
      const page = await openPage(profile);
      await authorize(page);
      await page.waitForFunction('globalThis.heard.frames.length === 2 && globalThis.heard.messages.length === 1');
      const { frames, messages } = await heard(page);
      expect(frames.at(-1)).to.include({ message_type: 'error', error_type: 'callback_err' });
      expect(messages[0]?.type).to.equal('acme_oauth_callback_error');
      expect(messages[0]?.payload?.['errorType']).to.equal('callback_err');
      expect(messages[0]?.payload?.['message']).to.match(/^You didn’t allow access/);
    });
  });

  it('opens the connect window in a frame, and learns of the connection', async () => {
    await chromium.profile({ origins: origins() }, async (profile) => {
      const page = await openPage(profile);
      await page.click('#open');
      const frame = page.frameLocator('iframe');
      const popup = page.context().waitForEvent('page');
      await frame.getByRole('button', { name: /^(Continue|Sign in|Connect)/ }).click();
      await popup;
      await page.waitForFunction('globalThis.heard.messages.some(({ type }) => type === "connect")');
      const { messages } = await heard(page);
      expect(messages[0]).to.deep.equal({ type: 'ready' });
      const connected = messages.find(({ type }) => type === 'connect')?.payload;
      expect(connected).to.have.all.keys('providerConfigKey', 'connectionId', 'isPending');
      expect((await connectionsOf(app)).map(({ connection_id: id }) => id)).to.include(connected?.['connectionId']);
      await frame
        .getByRole('button', { name: /^(Done|Close|Finish)/ })
        .first()
        .click();
      await page.waitForFunction('document.querySelector("iframe") === null');
      expect((await heard(page)).messages.at(-1)).to.deep.equal({ type: 'close' });
    });
  });

  it('connects nothing after the page removes the frame', async () => {
    await chromium.profile({ origins: origins() }, async (profile) => {
      const page = await openPage(profile, { allowed_integrations: [await addSandbox(app)] });
      await page.click('#open');
      const popup = page.context().waitForEvent('page');
      await page
        .frameLocator('iframe')
        .getByRole('button', { name: /^Continue/ })
        .click();
      await (await popup).getByRole('button', { name: 'Allow' }).waitFor();
      await page.evaluate('document.querySelector("iframe").remove()');
      const flows = () => app.database.db('authorization_flows').where({ flow_state: 'cancelled' });
      await until('its flow is cancelled', async () => (await flows()).length > 0);
    });
  });

  it('opens the window by a link, which keeps the language and the theme', async () => {
    await chromium.profile({ origins: origins(), colorScheme: 'light' }, async (profile) => {
      const page = await profile.newPage();
      const token = await createSession(app, { allowed_integrations: ['fake'] });
      const query = { apiURL: app.url, session_token: token, lang: 'de', theme: 'dark' };
      await page.goto(`${app.url}/connect/?${new URLSearchParams(query)}`);
      await page.getByRole('button', { name: /^Weiter/ }).waitFor();
      const [lang, scheme, address] = await page.evaluate<string[]>(
        '[document.documentElement.lang, document.documentElement.dataset.scheme, location.href]',
      );
      expect([lang, scheme]).to.deep.equal(['de', 'dark']);
      expect(address).to.equal(`${app.url}/connect/l?lang=de&theme=dark`);
    });
  });

  it('receives nothing from the window if the environment does not allow its origin', async () => {
    await updateConnectSettings(app.services.db, 1, { allowed_origins: ['https://elsewhere.example'] });
    await chromium.profile({ origins: origins() }, async (profile, guard) => {
      guard.expect(/target origin/);
      const page = await openPage(profile);
      const popup = await authorize(page);
      if (!popup.isClosed()) await popup.waitForEvent('close', { timeout: CLOSED_MS });
      expect((await heard(page)).messages).to.deep.equal([]);
    });
    await updateConnectSettings(app.services.db, 1, { allowed_origins: null });
  });
});
