import { expect } from 'chai';
import { scopeNames } from '#contract';
import { fillProviderUrl } from '../../core/auth-modes/building-blocks/provider-template.ts';
import { type Provider, readCatalogue } from '../../core/catalogue/catalogue.ts';
import { startApp, type TestApp } from '../support/app.ts';
import { connectionsOf, enter, finish } from '../support/authorization.ts';
import { mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { type OAuth1Provider, startOAuth1Provider } from '../support/oauth1-provider/oauth1-provider.ts';
import { TestNet } from '../support/test-net.ts';
import { WebWalker } from '../support/web-walker.ts';
import { DIRS, exampleSource } from './catalogue-cases.ts';
import { WALKS } from './walks.ts';

const catalogue = await readCatalogue(DIRS);
const providers = catalogue.list().filter(({ definition }) => WALKS.oauth1(definition));

/** A fake server that stands in for all hosts of the provider, and a service with an integration for it. */
class Walk implements AsyncDisposable {
  readonly net: TestNet;
  readonly server: OAuth1Provider;
  readonly app: TestApp;
  readonly key: string;
  readonly #opened: AsyncDisposableStack;

  private constructor(parts: Pick<Walk, 'net' | 'server' | 'app' | 'key'>, opened: AsyncDisposableStack) {
    [this.net, this.server, this.app, this.key] = [parts.net, parts.server, parts.app, parts.key];
    this.#opened = opened;
  }

  static async open(provider: Provider): Promise<Walk> {
    await using opened = new AsyncDisposableStack();
    const source = exampleSource(provider);
    const { request_url, authorization_url, token_url, proxy } = source.definition;
    const url = (template = '') => fillProviderUrl(template, source);
    const [request, authorize, token] = [url(request_url), url(authorization_url), url(token_url)];
    const paths = { request: request.pathname, authorize: authorize.pathname, token: token.pathname };
    const server = opened.use(await startOAuth1Provider(paths));
    const net = new TestNet();
    for (const { hostname } of [request, authorize, token, url(proxy?.base_url)]) net.add(hostname, server.url);
    const app = opened.use(await startApp({ net, env: { SVC_OUTBOUND_ALLOW: '' } }));
    const credentials = { client_id: server.clientId, client_secret: server.clientSecret };
    mustBe(200, await app.api.post('/integrations', { unique_key: provider.slug, provider: provider.slug, credentials }));
    return new Walk({ net, server, app, key: provider.slug }, opened.move());
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#opened.disposeAsync();
  }
}

for (const provider of providers) {
  describe(`provider ${provider.slug}, walked through`, () => {
    const { definition, slug: key } = provider;

    it('connects by a request token and a verifier, and signs calls of its API', async () => {
      await using walk = await Walk.open(provider);
      const { app, net, server } = walk;
      const walker = new WebWalker();
      const begun = await enter(app, { key, walker });
      const location = new URL(begun.headers.get('location') ?? expect.fail(begun.text));
      const expected = fillProviderUrl(definition.authorization_url ?? '', exampleSource(provider));
      expect([location.protocol, location.host, location.pathname]).to.deep.equal(['https:', expected.host, expected.pathname]);
      expect(Object.fromEntries(location.searchParams)).to.include(definition.authorization_params ?? {});
      const scopes = scopeNames(definition.default_scopes).join(definition.scope_separator ?? ' ');
      expect(location.searchParams.get('scope') ?? '').to.equal(scopes);

      const back = await walker.visit(net.local(location.href));
      const page = await finish({ walker, callback: new URL(back.headers.get('location') ?? '') });
      expect(page.status, page.text).to.equal(200);
      const asked = [definition.proxy?.verification?.endpoints[0], definition.identity?.endpoint];
      expect(server.ledger.of('api').map(({ target }) => target)).to.deep.equal(asked);

      const [newest] = await connectionsOf(app);
      const connected = { connectionId: newest?.connection_id ?? '', key };
      const { body } = await readConnection(app, connected);
      expect(server.live.get(body.credentials.oauth_token)).to.equal(body.credentials.oauth_token_secret);
      const health = await app.api.get(`/connections/${connected.connectionId}/health?provider_config_key=${key}`);
      expect(health.body.data.provider_account).to.deep.include({ id: 'ada' });
      const isKept = definition.token_response_metadata?.includes('user_id') === true;
      expect(body.connection_config).to.deep.equal(isKept ? { user_id: '42' } : {});
      mustBe(200, await throughProxy(app, connected, { path: '/things?page=2' }));
      expect(net.strangers()).to.deep.equal([]);
    });
  });
}

it('OAuth 1 has two bundled providers', () => {
  expect(providers.map(({ slug }) => slug)).to.include.members(['trello', 'x-oauth1']);
});
