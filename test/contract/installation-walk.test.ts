import { expect } from 'chai';
import { fillProviderUrl } from '../../core/auth-modes/building-blocks/provider-template.ts';
import { type Provider, readCatalogue } from '../../core/catalogue/catalogue.ts';
import { startApp } from '../support/app.ts';
import { connectionsOf } from '../support/authorization.ts';
import { connectUrl, createSession, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeAppHost } from '../support/fake-app-host.ts';
import { TestNet } from '../support/test-net.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';
import { DIRS, enteredUrlsOf, exampleSource } from './catalogue-cases.ts';
import { WALKS } from './walks.ts';

const LINK = 'https://installed.example/apps/ours';

const providers = (await readCatalogue(DIRS)).list().filter(({ definition }) => WALKS.installation(definition));

describe('a provider whose apps are installed, walked through', function () {
  this.timeout(30_000);
  const net = new TestNet();
  const host = use(this, startFakeAppHost);
  const app = use(this, () => startApp({ net, env: { SVC_OUTBOUND_ALLOW: '' } }));

  it('is tested for all providers with apps that users install', () => {
    expect(providers.map(({ slug }) => slug)).to.include.members(['github-app', 'github-app-user']);
  });

  /** Creates an integration, and routes calls for every host of the provider to the fake server. */
  async function integrate(provider: Provider): Promise<void> {
    const source = { ...exampleSource(provider), connectionConfig: { installation_id: '1' } };
    for (const { template } of enteredUrlsOf(provider.definition)) net.add(fillProviderUrl(template, source).hostname, host.url);
    const body = { unique_key: provider.slug, provider: provider.slug, credentials: { ...host.app, app_link: LINK } };
    mustBe(200, await app.api.post('/integrations', body));
  }

  /** Walks through the installation as the user's browser would, with a page of the fake server instead of the provider's. */
  async function install(key: string) {
    host.setupUrl = `${app.url}/app-auth/connect`;
    const walker = new WebWalker();
    const { headers } = await walker.visit(connectUrl(app, { key, token: await createSession(app) }));
    const page = new URL(headers.get('location') ?? '');
    expect(page.href).to.match(/^https:\/\/installed\.example\/apps\/ours\/installations\/new\?state=[\w-]+$/);
    const done = await walker.follow(host.url + page.pathname + page.search);
    if ('stoppedAt' in done) throw new Error('the walk stopped on its way');
    mustBe(200, done);
    return { connectionId: String((await connectionsOf(app))[0]?.connection_id), key };
  }

  for (const provider of providers) {
    const { slug: key, definition } = provider;
    it(`is installed, called, refreshed, and recognizes that the user has removed it: ${key}`, async () => {
      await integrate(provider);
      const connected = await install(key);
      const { body } = await throughProxy(app, connected, { path: '/things' });
      const user = host.users.at(-1);
      const token = definition.auth_mode === 'CUSTOM' ? user?.accessToken : host.installationTokens.at(-1);
      expect(body.authorization).to.equal(`Bearer ${token}`);
      for (const { headers } of host.ledger.of('installations')) expect(headers).to.include(definition.token_headers ?? {});

      const calls = host.installationTokens.length;
      mustBe(200, await readConnection(app, connected, '&force_refresh=strict'));
      expect(host.installationTokens).to.have.length(calls + 1);
      host.suspended.add(Number(user?.installations[0]));
      expect((await readConnection(app, connected, '&force_refresh=strict')).status).to.equal(424);
    });
  }

  it('dials nobody else', () => expect(net.strangers()).to.deep.equal([]));
});
