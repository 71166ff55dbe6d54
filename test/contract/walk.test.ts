import { expect } from 'chai';
import { scopeNames } from '#contract';
import { type AuthMode, type ModeInput, TokenFailure } from '../../core/auth-modes/auth-mode.ts';
import { oauth2 } from '../../core/auth-modes/oauth2/index.ts';
import type { StoredOAuth2 } from '../../core/auth-modes/oauth2/stored.ts';
import { fillProviderUrl, fillTexts } from '../../core/auth-modes/provider-template.ts';
import { type Provider, readCatalogue } from '../../core/catalogue/catalogue.ts';
import { systemClock } from '../../core/kit/clock.ts';
import { createOutbound, type Outbound } from '../../core/kit/outbound.ts';
import { loadPlugins } from '../../core/plugin-host/load.ts';
import { joinPlugins } from '../../core/plugin-host/plugins.ts';
import { standardParams } from '../support/fake-provider/dialect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { DIRS, exampleSource } from './catalogue-cases.ts';
import { WALKS } from './walks.ts';

const REDIRECT_URI = 'http://localhost:3003/oauth/callback';

const catalogue = await readCatalogue(DIRS);
const plugins = joinPlugins(catalogue, await loadPlugins(DIRS));

/** The whole life of a connection, with a fake provider standing in wherever the definition points. */
class Walk implements AsyncDisposable {
  readonly #outbound = createOutbound({ allow: ['127.0.0.1'] });
  readonly #mode: Required<Pick<AuthMode<StoredOAuth2>, 'begin' | 'complete' | 'refresh'>>;
  readonly input: ModeInput;
  readonly fake: FakeProvider;
  /** The token URLs as the definition gives them. */
  readonly called: string[] = [];

  constructor(provider: Provider, fake: FakeProvider) {
    const { begin, complete, refresh } = oauth2;
    if (!begin || !complete || !refresh) throw new Error('OAUTH2 is a redirect mode');
    this.#mode = { begin, complete, refresh };
    this.fake = fake;
    const client = { clientId: fake.clientId, clientSecret: fake.clientSecret, scopes: [] };
    this.input = { provider: provider.slug, client, rules: plugins.of(provider.slug).auth, ...exampleSource(provider) };
  }

  begin() {
    return this.#mode.begin(this.#deps(), this.input, { state: 'state-1', redirectUri: REDIRECT_URI, authorizationParams: {} });
  }

  async complete() {
    const { url, secrets } = await this.begin();
    const response = await fetch(`${this.fake.authorizationUrl}${new URL(url).search}`, { redirect: 'manual' });
    // The fake stands in for the provider, so its issuer is the provider's.
    const iss = String(secrets['issuer'] ?? new URL(url).origin);
    const query = {
      ...Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams),
      iss,
      ...this.#brought(),
    };
    const { credentials } = await this.#mode.complete(this.#deps(), this.input, { query, secrets });
    return credentials;
  }

  /** What the provider adds to the callback. */
  #brought(): Record<string, string> {
    const { redirect_uri_metadata: names = [], connection_config: fields = {}, callback } = this.input.definition;
    const brought = Object.fromEntries(names.map((name) => [name, fields[name]?.example ?? fields[name]?.enum?.[0] ?? name]));
    return { ...brought, ...fillTexts(callback?.expect, this.input) };
  }

  refresh(stored: Awaited<ReturnType<Walk['complete']>>) {
    return this.#mode.refresh(this.#deps(), this.input, stored);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#outbound[Symbol.asyncDispose]();
    await this.fake[Symbol.asyncDispose]();
  }

  #deps() {
    const call: Outbound['call'] = (url, request) => {
      const { origin, pathname, search } = new URL(url);
      this.called.push(origin + pathname);
      return this.#outbound.call(`${this.fake.tokenUrl}${search}`, request);
    };
    return { outbound: { ...this.#outbound, call }, now: systemClock.now };
  }
}

/** As strict as the definition says that the real one is. */
async function startWalk(provider: Provider): Promise<Walk> {
  const { token_request_auth_method, body_format, disable_pkce, callback } = provider.definition;
  const fake = await startFakeProvider({
    clientAuth: token_request_auth_method === 'basic' ? 'basic' : 'body',
    bodyFormat: body_format === 'json' ? 'json' : 'form',
    pkce: disable_pkce === true || callback?.grant === 'client_credentials' ? 'ignored' : 'required',
    dialect: provider.definition,
  });
  return new Walk(provider, fake);
}

/** Those whose plugin makes the exchange have their own walks, in `test/flows/plugin-exchange.test.ts`. */
const isWalked = ({ slug, definition }: Provider) => WALKS.code(definition) && plugins.of(slug).auth?.exchange === undefined;

for (const provider of catalogue.list().filter(isWalked)) {
  describe(`provider ${provider.slug}, walked through`, () => {
    it('begins at its own host with state, redirect URI and, unless disabled, PKCE S256', async () => {
      await using walk = await startWalk(provider);
      const url = new URL((await walk.begin()).url);
      const expected = fillProviderUrl(provider.definition.authorization_url ?? '', walk.input);
      expect([url.protocol, url.host, url.pathname]).to.deep.equal(['https:', expected.host, expected.pathname]);
      const { authorization_param_names: names, omit_params, scope_separator: separator } = provider.definition;
      const params = standardParams(Object.fromEntries(url.searchParams), names, omit_params?.authorization) ?? {};
      const standard = {
        response_type: 'code',
        state: 'state-1',
        redirect_uri: REDIRECT_URI,
        client_id: walk.fake.clientId,
      };
      const omitted: readonly string[] = omit_params?.authorization ?? [];
      expect(params).to.include(Object.fromEntries(Object.entries(standard).filter(([name]) => !omitted.includes(name))));
      expect(params).to.include(fillTexts(provider.definition.authorization_params, walk.input));
      const scopes = scopeNames(provider.definition.default_scopes).join(separator ?? ' ');
      expect(params['scope'] ?? '').to.equal(scopes);
      const hasCode = provider.definition.callback?.grant !== 'client_credentials';
      const hasPkce = hasCode && provider.definition.disable_pkce !== true;
      expect(params['code_challenge_method']).to.equal(hasPkce ? 'S256' : undefined);
      expect(params['code_challenge'] ?? '').to.match(hasPkce ? /^[\w-]{43}$/ : /^$/);
    });

    it('exchanges the code, refreshes, and understands that the user has withdrawn', async () => {
      await using walk = await startWalk(provider);
      const first = await walk.complete();
      expect(walk.fake.grants.isLive(first.accessToken)).to.equal(true);
      if (oauth2.isRefreshable?.(first) !== true) return; // Its tokens live until the user withdraws them.
      const second = await walk.refresh(first);
      expect(second.accessToken).to.not.equal(first.accessToken);
      expect(walk.fake.grants.isLive(second.accessToken)).to.equal(true);

      const tokenUrl = fillProviderUrl(provider.definition.token_url ?? '', walk.input).href;
      expect(new Set(walk.called)).to.deep.equal(new Set([tokenUrl]));
      if (second.refreshToken === undefined) return; // The app itself has no grant of a user that could end.

      walk.fake.grants.revoke(0);
      const failure: unknown = await walk.refresh(second).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(TokenFailure).and.to.include({ kind: 'refused' });
      expect(walk.called).to.deep.equal([tokenUrl, tokenUrl, tokenUrl]);
    });
  });
}
