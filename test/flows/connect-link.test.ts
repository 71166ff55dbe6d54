import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { updateEnvironment } from '../../core/tenants/environments/environment-store.ts';
import { startApp } from '../support/app.ts';
import { connectionsOf, createHonestIntegration } from '../support/authorization.ts';
import { useChromium } from '../support/browser.ts';
import { startCallbackHop } from '../support/callback-hop.ts';
import { createSession } from '../support/connect.ts';
import { makeFolders } from '../support/folders.ts';
import { startHonestProvider } from '../support/honest-provider/honest-provider.ts';
import { use } from '../support/use.ts';

const MINUTE_MS = 60_000;

/** A definition for the strict fake provider, with a form that the user fills in before the authorization. */
const NOTES = {
  display_name: 'Notes',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.server}/auth',
  token_url: '${integrationConfig.server}/token',
  token_request_auth_method: 'basic',
  default_scopes: ['notes'],
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  connection_config: {
    site: {
      type: 'string',
      title: 'Site',
      description: 'As in the address bar.',
      pattern: '[a-z-]{2,20}',
      example: 'acme',
      order: 1,
    },
    plan: { type: 'string', title: 'Plan', enum: ['free', 'paid'], default_value: 'free', order: 2 },
    seats: { type: 'string', title: 'Seats', visible_when: { field: 'plan', equals: 'paid' }, order: 3 },
    note: { type: 'string', title: 'Note', optional: true, order: 4 },
    region: { type: 'string', title: 'Region', optional: true, hidden: true },
  },
  proxy: { base_url: '${integrationConfig.server}/api' },
};

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"></svg>';

const MARKUP = '"><img src=x onerror=alert(1)><svg onload=alert(1)><script>alert(1)</script>';

/** The errors in a page's console, such as violations of its Content Security Policy, and the page's requests. */
interface Watch {
  readonly errors: string[];
  readonly requests: { readonly url: string; readonly referer: string | undefined }[];
}

/**
 * Records the errors and the requests of a page.
 *
 * @param abroad the origin of the provider's pages, whose console messages are ignored
 */
function watch(page: Page, abroad: string): Watch {
  const seen: Watch = { errors: [], requests: [] };
  page.on('console', (message) => {
    const isLoud = message.type() === 'error' || message.type() === 'warning';
    if (isLoud && !message.location().url.startsWith(abroad)) seen.errors.push(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => seen.errors.push(String(error)));
  page.on('request', (request) => seen.requests.push({ url: request.url(), referer: request.headers()['referer'] }));
  return seen;
}

describe('the page behind a connect link, in Chromium', function () {
  const chromium = useChromium(this);
  const folders = use(this, () => makeFolders({ 'notes/provider.json': JSON.stringify(NOTES), 'notes/logo.svg': LOGO }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));
  const callback = use(this, () => startCallbackHop(app.url, 'localhost'));
  const provider = use(this, () => startHonestProvider({ redirectUris: [`${app.url}/oauth/callback`, callback.url] }));

  before(async () => {
    await createHonestIntegration(app, provider);
    await createNotes({ unique_key: 'notes' });
  });

  async function createNotes(named: { readonly unique_key: string; readonly display_name?: string }): Promise<void> {
    const response = await app.api.post('/integrations', {
      ...named,
      provider: 'notes',
      credentials: {
        type: 'OAUTH2',
        client_id: provider.clients.basic.clientId,
        client_secret: provider.clients.basic.clientSecret,
      },
      integration_config: { server: provider.url },
    });
    expect(response.status, response.text).to.equal(200);
  }

  async function open(browser: BrowserContext, token: string): Promise<{ page: Page; seen: Watch }> {
    const page = await browser.newPage();
    const seen = watch(page, provider.url);
    await page.goto(`${app.url}/connect/l#${token}`);
    return { page, seen };
  }

  it('leads to the provider and back to "Connected", and reveals the token to nobody', async () => {
    await chromium.unguarded(async (browser) => {
      const tags = { end_user_email: 'ada@acme.example' };
      const token = await createSession(app, { tags, allowed_integrations: ['honest'] });
      const { page, seen } = await open(browser, token);
      const button = page.getByRole('button', { name: 'Continue to Generic OAuth 2.0' });
      await button.waitFor();
      await page.getByText(/^Not you\? Close this page\. This link works until \d/).waitFor();
      await page.getByText('for ada@acme.example').waitFor();
      expect(page.url()).to.equal(`${app.url}/connect/l`);
      expect(new Set(seen.requests.map(({ url }) => new URL(url).origin))).to.deep.equal(new Set([app.url]));

      await button.click();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'Generic OAuth 2.0 is connected' }).waitFor();
      expect(await connectionsOf(app)).to.have.length(1);

      const abroad = seen.requests.filter(({ url }) => new URL(url).origin !== app.url);
      expect(new Set(abroad.map(({ url }) => new URL(url).origin))).to.deep.equal(new Set([provider.url]));
      expect(JSON.stringify(abroad)).not.to.include(token);
      expect(abroad[0]?.referer).to.equal(undefined);
      expect(seen.errors).to.deep.equal([]);

      expect(await page.evaluate(() => [sessionStorage.length, localStorage.length])).to.deep.equal([0, 0]);
      await page.goto(`${app.url}/connect/l`);
      await page.getByRole('heading', { name: 'Nothing to show' }).waitFor();
      await page.goto(`${app.url}/connect/l#${token}`);
      await page.getByRole('heading', { name: 'Already connected' }).waitFor();
      await page.getByText('You can close this tab.').waitFor();
    });
  });

  it('works with a callback URL on another site', async () => {
    await chromium.unguarded(async (browser) => {
      await updateEnvironment(app.database.db, 1, { callback_url: callback.url });
      const before = (await connectionsOf(app)).length;
      const { page, seen } = await open(browser, await createSession(app, { allowed_integrations: ['honest'] }));
      await page.getByRole('button', { name: 'Continue to Generic OAuth 2.0' }).click();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'Generic OAuth 2.0 is connected' }).waitFor();
      expect(seen.requests.some(({ url }) => url.startsWith(callback.url))).to.equal(true);
      expect(await connectionsOf(app)).to.have.length(before + 1);
      expect(seen.errors).to.deep.equal([]);
      await updateEnvironment(app.database.db, 1, { callback_url: null });
    });
  });

  it('shows the provider’s form: labels, help, faults and what depends on a choice', async () => {
    await chromium.unguarded(async (browser) => {
      const { page, seen } = await open(browser, await createSession(app, { allowed_integrations: ['notes'] }));
      const site = page.getByRole('textbox', { name: 'Site', exact: true });
      const button = page.getByRole('button', { name: 'Continue to Notes' });
      await button.waitFor();
      await site.waitFor();
      expect(await page.getByLabel('Region').count()).to.equal(0);
      expect(await page.getByRole('textbox', { name: 'Seats' }).count()).to.equal(0);
      await page.getByRole('textbox', { name: 'Note (optional)' }).waitFor();

      await button.click();
      await page.getByText('Enter Site.').waitFor();
      expect(await site.getAttribute('aria-invalid')).to.equal('true');
      expect(await page.locator('input:focus').getAttribute('id')).to.equal(await site.getAttribute('id'));
      await site.fill('ACME!');
      await button.click();
      await page.getByText('Site has the wrong format. Example: acme').waitFor();

      await site.fill(' acme ');
      await page.getByRole('radio', { name: 'paid' }).check();
      await page.getByRole('textbox', { name: 'Seats' }).fill('3');
      await page.getByRole('radio', { name: 'free' }).check();
      expect(await page.getByRole('textbox', { name: 'Seats' }).count()).to.equal(0);
      await button.click();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'Notes is connected' }).waitFor();
      const [newest] = await connectionsOf(app);
      expect(newest).to.deep.include({ connection_config: { site: 'acme', plan: 'free' } });
      expect(seen.errors).to.deep.equal([]);
    });
  });

  it('asks for nothing that the backend has fixed, and offers what the session allows', async () => {
    await chromium.unguarded(async (browser) => {
      const defaults = { notes: { connection_config: { site: 'fixed-value' } } };
      const input = { allowed_integrations: ['notes', 'honest'], integrations_config_defaults: defaults };
      const { page, seen } = await open(browser, await createSession(app, input));
      await page.getByRole('button', { name: 'Notes' }).waitFor();
      expect(await page.getByRole('button').count()).to.equal(2);
      await page.getByRole('button', { name: 'Notes' }).click();
      await page.getByRole('button', { name: 'Continue to Notes' }).waitFor();
      expect(await page.getByRole('textbox', { name: 'Site' }).count()).to.equal(0);
      expect(await page.content()).not.to.include('fixed-value');
      expect(seen.errors).to.deep.equal([]);
    });
  });

  it('says whom it is for, and links to the guide that the backend named', async () => {
    await chromium.unguarded(async (browser) => {
      const docs = 'https://docs.example/connect?a=b';
      const overrides = { notes: { docs_connect: docs } };
      const input = { end_user: { id: 'u', display_name: 'Ada' }, allowed_integrations: ['notes'], overrides };
      const { page, seen } = await open(browser, await createSession(app, input));
      const guide = page.getByRole('link', { name: 'How to find these details' });
      await guide.waitFor();
      await page.getByText('for Ada').waitFor();
      expect(await guide.count()).to.equal(1);
      expect([await guide.getAttribute('href'), await guide.getAttribute('rel')]).to.deep.equal([docs, 'noopener noreferrer']);
      expect(seen.errors).to.deep.equal([]);
    });
  });

  it('shows texts of others as plain text', async () => {
    await chromium.unguarded(async (browser) => {
      await createNotes({ unique_key: 'markup', display_name: MARKUP });
      const token = await createSession(app, { tags: { end_user_display_name: MARKUP }, allowed_integrations: ['markup'] });
      const { page, seen } = await open(browser, token);
      await page.getByRole('heading', { name: MARKUP }).waitFor();
      await page.getByText(`for ${MARKUP}`).waitFor();
      expect(
        await page.locator('img[src="x"], [onerror], [onload], script:not([src]):not([type="application/json"])').count(),
      ).to.equal(0);
      expect(seen.errors).to.deep.equal([]);
    });
  });

  it('explains a refusal, and the link can be used again', async () => {
    await chromium.unguarded(async (browser) => {
      const before = (await connectionsOf(app)).length;
      const { page, seen } = await open(browser, await createSession(app, { allowed_integrations: ['honest'] }));
      await page.getByRole('button', { name: 'Continue to Generic OAuth 2.0' }).click();
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByText('The sign-in at Generic OAuth 2.0 was cancelled or refused. Nothing was stored.').waitFor();
      expect(await connectionsOf(app)).to.have.length(before);
      expect(seen.errors).to.deep.equal([]);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('button', { name: 'Continue to Generic OAuth 2.0' }).click();
      await page.getByRole('button', { name: 'Allow' }).click();
      await page.getByRole('heading', { name: 'Generic OAuth 2.0 is connected' }).waitFor();
    });
  });

  it('says what is wrong with a link that has no token, an expired token or an invented one', async () => {
    await chromium.unguarded(async (browser) => {
      const bare = await browser.newPage();
      const seen = watch(bare, provider.url);
      await bare.goto(`${app.url}/connect/l`);
      await bare.getByRole('heading', { name: 'Nothing to show' }).waitFor();
      expect(seen.errors).to.deep.equal([]);

      const token = await createSession(app);
      await app.clock.advance(31 * MINUTE_MS);
      for (const [fragment, heading] of [
        [token, 'This link has expired'],
        [`svc_connect_session_${'0'.repeat(64)}`, 'This link has expired'],
        ['x', 'Nothing to show'],
        ['<img src=x onerror=alert(1)>', 'Nothing to show'],
      ] as const) {
        const { page } = await open(await newProfile(browser), fragment);
        await page.getByRole('heading', { name: heading }).waitFor();
        expect(page.url()).to.equal(`${app.url}/connect/l`);
        expect(await page.getByRole('button').count()).to.equal(0);
      }
    });
  });
});

/**
 * Opens a browser profile that shares nothing with the other pages, because in this test each tab belongs to a different person.
 */
async function newProfile(browser: BrowserContext): Promise<BrowserContext> {
  const made = await browser.browser()?.newContext();
  if (made === undefined) throw new Error('the browser has gone');
  return made;
}
