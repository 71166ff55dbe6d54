import { expect } from 'chai';
import { type ModeInput, TokenFailure } from '../../core/auth-modes/auth-mode.ts';
import { fillProviderUrl } from '../../core/auth-modes/building-blocks/provider-template.ts';
import { mcpOAuth2 } from '../../core/auth-modes/mcp-oauth2/index.ts';
import type { StoredMcpOAuth2 } from '../../core/auth-modes/mcp-oauth2/stored.ts';
import { type Provider, readCatalogue } from '../../core/catalogue/catalogue.ts';
import { loadPlugins } from '../../core/catalogue/plugins/load.ts';
import { joinPlugins } from '../../core/catalogue/plugins/plugins.ts';
import { systemClock } from '../../core/kit/clock.ts';
import { createOutbound, type Outbound } from '../../core/kit/outbound.ts';
import { type FakeMcp, startFakeMcp } from '../support/mcp-server/fake-mcp.ts';
import { DIRS, exampleSource } from './catalogue-cases.ts';
import { WALKS } from './walks.ts';

const REDIRECT_URI = 'http://localhost:3003/oauth/callback';

const catalogue = await readCatalogue(DIRS);
const plugins = joinPlugins(catalogue, await loadPlugins(DIRS));

/** The life of a connection, with a fake server in place of the one that the definition names. */
class Walk implements AsyncDisposable {
  readonly #outbound = createOutbound({ allow: ['127.0.0.1'] });
  readonly #server: FakeMcp;
  readonly input: ModeInput;

  constructor(provider: Provider, server: FakeMcp) {
    this.#server = server;
    const client = { clientId: '', clientSecret: '', scopes: [] };
    this.input = { provider: provider.slug, client, rules: plugins.of(provider.slug).auth, ...exampleSource(provider) };
  }

  get grants() {
    return this.#server.provider.grants;
  }

  async authorize(): Promise<StoredMcpOAuth2> {
    const { begin, complete } = mcpOAuth2;
    if (!begin || !complete) throw new Error('it is a redirect mode');
    const start = { state: 'state-1', redirectUri: REDIRECT_URI, authorizationParams: {} };
    const { url, secrets } = await begin(this.#deps(), this.input, start);
    const response = await fetch(url, { redirect: 'manual' });
    const query = Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams);
    return (await complete(this.#deps(), this.input, { query, secrets })).credentials;
  }

  async refresh(stored: StoredMcpOAuth2): Promise<StoredMcpOAuth2> {
    if (mcpOAuth2.refresh === undefined) throw new Error('it can be renewed');
    return mcpOAuth2.refresh(this.#deps(), this.input, stored);
  }

  /** Returns dependencies that send all calls for the definition's server to the fake server instead. */
  #deps() {
    const { origin, url: stand } = this.#server;
    const call: Outbound['call'] = (url, request) => this.#outbound.call(String(url).replace(origin, stand), request);
    return { outbound: { ...this.#outbound, call }, now: systemClock.now };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#outbound[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
  }
}

for (const provider of catalogue.list().filter(({ definition }) => WALKS.mcp(definition))) {
  describe(`provider ${provider.slug}, walked through`, () => {
    const address = fillProviderUrl(provider.definition.mcp_server_url ?? '', exampleSource(provider));
    const start = async () => new Walk(provider, await startFakeMcp({ name: address.origin, path: address.pathname }));

    it('calls the server that it has authorized', () => {
      const { mcp_server_url, proxy } = provider.definition;
      expect(proxy?.base_url).to.equal(mcp_server_url);
    });

    it('registers, authorizes, refreshes, and recognizes that the user has revoked access', async () => {
      await using walk = await start();
      const first = await walk.authorize();
      expect(walk.grants.isLive(first.accessToken)).to.equal(true);
      expect(first).to.include({ issuer: address.origin, resource: address.href });
      const second = await walk.refresh(first);
      expect(second.accessToken).not.to.equal(first.accessToken);
      expect(walk.grants.isLive(second.accessToken)).to.equal(true);
      walk.grants.revoke(0);
      const failure: unknown = await walk.refresh(second).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(TokenFailure).and.to.include({ kind: 'refused' });
    });
  });
}
