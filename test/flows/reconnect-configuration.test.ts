import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startApp } from '../support/app.ts';
import { connectionsOf, finish, returnFromProvider } from '../support/authorization.ts';
import { withChromium } from '../support/browser.ts';
import { createReconnectSession, createSession } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { use } from '../support/use.ts';

const KEY = 'hosted';
/** A provider whose authorization URL contains the configuration of the connection. */
const HOSTED = {
  display_name: 'Hosted',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.server}/authorize?site=${connectionConfig.site}&plan=${connectionConfig.plan}',
  token_url: '${integrationConfig.server}/token',
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  connection_config: {
    site: { type: 'string', title: 'Site' },
    plan: { type: 'string', title: 'Plan', default_value: 'cloud' },
  },
};

describe('a connection that is authorized again, where the authorization URL holds its configuration', function () {
  const provider = use(this, startFakeProvider);
  const folders = use(this, () => makeFolders({ 'hosted/provider.json': JSON.stringify(HOSTED) }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));
  let connectionId: string;

  before(async () => {
    const response = await app.api.post('/integrations', {
      unique_key: KEY,
      provider: 'hosted',
      credentials: { type: 'OAUTH2', client_id: provider.clientId, client_secret: provider.clientSecret },
      integration_config: { server: provider.url },
    });
    expect(response.status, response.text).to.equal(200);
  });

  beforeEach(async () => {
    const token = await createSession(app);
    const page = await finish(await returnFromProvider(app, { token, key: KEY, params: { site: 'acme', plan: 'own' } }));
    expect(page.status, page.text).to.equal(200);
    connectionId = (await connectionsOf(app))[0]?.connection_id ?? '';
  });

  const newSession = () => createReconnectSession(app, { connectionId, key: KEY });

  /** Returns the configuration that the provider received last, and the stored connection. */
  async function configurations() {
    const { target } = provider.ledger.of('authorize').at(-1) ?? expect.fail('nobody was sent to the provider');
    const { site, plan } = Object.fromEntries(new URL(target, provider.url).searchParams);
    const [newest] = await connectionsOf(app);
    return { told: { site, plan }, held: newest };
  }

  it('is sent to the same authorization URL as before', async () => {
    expect((await finish(await returnFromProvider(app, { token: await newSession(), key: KEY }))).status).to.equal(200);
    const { told: reported, held } = await configurations();
    expect(reported).to.deep.equal({ site: 'acme', plan: 'own' });
    expect(held).to.deep.include({ connection_id: connectionId, connection_config: { site: 'acme', plan: 'own' } });
  });

  it('is sent to another URL when a value changes, and keeps the other values', async () => {
    const params = { site: 'other' };
    expect((await finish(await returnFromProvider(app, { token: await newSession(), key: KEY, params }))).status).to.equal(200);
    const { told: reported, held } = await configurations();
    expect(reported).to.deep.equal({ site: 'other', plan: 'own' });
    expect(held).to.deep.include({ connection_config: { site: 'other', plan: 'own' } });
  });

  it('is not configured by the page behind the link, which would overwrite its configuration with defaults', async function () {
    await withChromium(this, async (browser) => {
      const page: Page = await browser.newPage();
      await page.goto(`${app.url}/connect/l#${await newSession()}`);
      const button = page.getByRole('button', { name: 'Continue to Hosted' });
      await button.waitFor();
      expect(await page.getByRole('textbox').count()).to.equal(0);
      await button.click();
      await page.getByRole('heading', { name: 'Hosted is connected again' }).waitFor();
      const { told: reported, held } = await configurations();
      expect(reported).to.deep.equal({ site: 'acme', plan: 'own' });
      expect(held).to.deep.include({ connection_config: { site: 'acme', plan: 'own' } });
    });
  });
});
