import { expect } from 'chai';
import type { ProviderDefinition } from '#contract';
import { ForeignResponse, type ModeInput } from '../../../../core/auth-modes/auth-mode.ts';
import { begin } from '../../../../core/auth-modes/oauth2/authorize.ts';
import { complete } from '../../../../core/auth-modes/oauth2/exchange.ts';
import { refresh, revoke } from '../../../../core/auth-modes/oauth2/refresh.ts';
import { oauth2Cc } from '../../../../core/auth-modes/oauth2-cc/index.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { createOutbound, type Outbound } from '../../../../core/kit/outbound.ts';
import { startFakeProvider } from '../../../support/fake-provider/fake-provider.ts';
import { useEach } from '../../../support/use.ts';
import { inputFor, NOW, REDIRECT_URI, tokenFailure } from '../building-blocks/token-endpoint/mode-input.ts';

const FLOW = { state: 'state', redirectUri: REDIRECT_URI, authorizationParams: {} };
const ISSUER_FIELD = { type: 'string', title: 'Issuer', format: 'uri' } as const;
const URL_FIELD = { ...ISSUER_FIELD, optional_with: 'issuer' };

type Members = Readonly<Record<string, unknown>>;

/** Fields of a server's metadata that make it impossible to begin an authorization. */
const UNUSABLE: Readonly<Record<string, Members>> = {
  'another issuer': { issuer: 'https://other.example' },
  'no token endpoint': { token_endpoint: undefined },
  'PKCE without S256': { code_challenge_methods_supported: ['plain'] },
  'no authorization endpoint': { authorization_endpoint: undefined },
  'a placeholder in an address': { token_endpoint: 'https://example.com/token?secret=${clientSecret}' },
};

describe('an authorization server that is known by its issuer', function () {
  const provider = useEach(this, () => startFakeProvider({ pkce: 'ignored' }));
  const outbound: Outbound = useEach(this, () => createOutbound({ allow: ['127.0.0.1/32'] }));
  const deps = { outbound, now: () => NOW };

  beforeEach(() => {
    // Metadata is cached per outbound client, and a later server may have the same port, so each test uses another client.
    deps.outbound = { ...outbound };
    publish();
  });

  function publish(members: Members = {}): void {
    const { url } = provider;
    const document = {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      revocation_endpoint: `${url}/revoke`,
      introspection_endpoint: `${url}/introspect`,
      ...members,
    };
    provider.always('api', { response: { status: 200, body: JSON.stringify(document) } });
  }

  function inputOf(definition: Partial<ProviderDefinition> = {}, changes: Partial<ModeInput> = {}): ModeInput {
    const issuer = provider.url;
    const input = inputFor(provider, { issuer, ...definition }, changes);
    const { authorization_url: _, token_url: __, ...others } = input.definition;
    return { ...input, definition: { ...others, ...definition } as ProviderDefinition };
  }

  function stored() {
    const code = provider.grants.issueCode({ redirectUri: 'r', scope: 'read' });
    const { accessToken = '', refreshToken = '' } = provider.grants.redeem(code, 'r', undefined) ?? {};
    return { type: 'OAUTH2' as const, accessToken, refreshToken, receivedAt: NOW.toISOString(), raw: {} };
  }

  async function failureOf(work: Promise<unknown>): Promise<unknown> {
    return work.then(
      () => undefined,
      (error: unknown) => error,
    );
  }

  it('needs no URLs in the definition, and its metadata is read once', async () => {
    const { url, secrets } = await begin(deps, inputOf(), FLOW);
    expect(url).to.match(new RegExp(`^${provider.url}/authorize\\?`));
    expect(secrets).to.include({ optionalIssuer: provider.url });
    const query = { code: provider.grants.issueCode({ redirectUri: REDIRECT_URI, scope: 'read' }), iss: provider.url };
    const { credentials } = await complete(deps, inputOf(), { query, secrets });
    const renewed = await refresh(deps, inputOf(), credentials);
    expect(provider.grants.isLive(renewed.accessToken)).to.equal(true);
    expect(await revoke(deps, inputOf(), renewed)).to.equal('revoked');
    expect(provider.grants.isLive(renewed.accessToken)).to.equal(false);
    expect(provider.ledger.of('api')).to.have.length(1);
  });

  it('is asked for the expiry of a token that has none', async () => {
    provider.always('token', { members: { expires_in: undefined } });
    provider.always('introspect', { members: { exp: NOW.getTime() / 1000 + 60 } });
    expect(await refresh(deps, inputOf(), stored())).to.include({ expiresAt: '2026-03-01T12:01:00.000Z' });
  });

  it('supplies its other endpoints, too, if only the authorization URL is missing', async () => {
    provider.settings.clientAuth = 'basic';
    provider.always('token', { members: { expires_in: undefined } });
    provider.always('introspect', { members: { exp: NOW.getTime() / 1000 + 60 } });
    const input = inputOf({ token_url: provider.tokenUrl });
    const renewed = await refresh(deps, input, stored());
    expect(renewed).to.include({ expiresAt: '2026-03-01T12:01:00.000Z' });
    expect(await revoke(deps, input, renewed)).to.equal('revoked');
    const { secrets } = await begin(deps, input, FLOW);
    const query = { code: provider.grants.issueCode({ redirectUri: REDIRECT_URI, scope: 'read' }), iss: provider.url };
    expect((await complete(deps, input, { query, secrets })).credentials).to.include({ expiresAt: '2026-03-01T12:01:00.000Z' });
  });

  it('issues tokens to apps of users', async () => {
    provider.always('token', { response: { status: 200, body: '{"access_token":"of-the-app","expires_in":60}' } });
    const { clientId, clientSecret } = provider;
    const app = { type: 'OAUTH2_CC' as const, clientId, clientSecret, token: '', raw: {}, receivedAt: NOW.toISOString() };
    expect(await oauth2Cc.refresh?.(deps, inputOf(), app)).to.include({ token: 'of-the-app' });
  });

  for (const [what, methods, by] of [
    ['client_secret_post', ['client_secret_basic', 'client_secret_post'], 'body'],
    ['client_secret_basic', ['client_secret_basic', 'none'], 'basic'],
    ['nothing', undefined, 'basic'],
  ] as const) {
    it(`gets the client's secret by ${by} if it supports ${what}`, async () => {
      publish({ token_endpoint_auth_methods_supported: methods });
      provider.settings.clientAuth = by;
      expect(provider.grants.isLive((await refresh(deps, inputOf(), stored())).accessToken)).to.equal(true);
    });
  }

  it("gets the client's secret as the definition says", async () => {
    publish({ token_endpoint_auth_methods_supported: ['client_secret_basic'] });
    provider.settings.clientAuth = 'body';
    const renewed = await refresh(deps, inputOf({ token_request_auth_method: 'body' }), stored());
    expect(provider.grants.isLive(renewed.accessToken)).to.equal(true);
  });

  describe('and `iss` of its responses', () => {
    async function completed(promise: boolean | undefined, iss: string | undefined) {
      publish({ authorization_response_iss_parameter_supported: promise });
      const { secrets } = await begin(deps, inputOf(), FLOW);
      const code = provider.grants.issueCode({ redirectUri: REDIRECT_URI, scope: 'read' });
      return complete(deps, inputOf(), { query: { code, ...(iss !== undefined && { iss }) }, secrets });
    }

    it('must be there if its metadata says so', async () => {
      expect(await failureOf(completed(true, undefined))).to.be.instanceOf(ForeignResponse);
      expect(provider.ledger.of('token')).to.deep.equal([]);
    });

    for (const promise of [true, false, undefined]) {
      it(`must be its issuer where it is present (promised: ${promise})`, async () => {
        expect(await failureOf(completed(promise, 'https://other.example'))).to.be.instanceOf(ForeignResponse);
        expect(provider.ledger.of('token')).to.deep.equal([]);
        expect(await completed(promise, provider.url)).to.have.property('credentials');
      });
    }

    it('may be missing if its metadata does not promise it', async () => {
      expect(await completed(undefined, undefined)).to.have.property('credentials');
    });
  });

  describe('whose metadata', () => {
    for (const [what, members] of Object.entries(UNUSABLE)) {
      it(`has ${what} starts no flow`, async () => {
        publish(members);
        expect(await failureOf(begin(deps, inputOf(), FLOW)))
          .to.be.instanceOf(ServiceError)
          .and.to.include({ code: 'connection_test_failed' });
      });
    }

    it('does not exist starts no flow', async () => {
      provider.always('api', { response: { status: 404, body: '' } });
      expect(await failureOf(begin(deps, inputOf(), FLOW))).to.include({ code: 'connection_test_failed' });
    });

    it('cannot be read at the moment starts no flow, and is requested again', async () => {
      provider.next('api', { response: { status: 503, body: '' } });
      expect(await failureOf(begin(deps, inputOf(), FLOW))).to.include({ code: 'provider_unavailable' });
      expect(await begin(deps, inputOf(), FLOW)).to.have.property('url');
    });

    it('cannot be read at the moment spends no refresh token', async () => {
      const previous = stored();
      provider.next('api', { response: { status: 503, body: '' } });
      expect(await tokenFailure(refresh(deps, inputOf(), previous))).to.include({ kind: 'transient' });
      expect(provider.ledger.of('token')).to.deep.equal([]);
      expect(provider.grants.isLive((await refresh(deps, inputOf(), previous)).accessToken)).to.equal(true);
    });

    it('cannot be read at the moment leaves a revocation for later', async () => {
      provider.next('api', { response: { status: 503, body: '' } });
      expect(await revoke(deps, inputOf(), stored())).to.equal('later');
    });

    it('was read before keeps refreshes going while it cannot be read', async () => {
      const first = await refresh(deps, inputOf(), stored());
      provider.always('api', { response: { status: 503, body: '' } });
      expect(provider.grants.isLive((await refresh(deps, inputOf(), first)).accessToken)).to.equal(true);
    });
  });

  describe('is not asked for metadata', () => {
    const askedNothing = () => expect(provider.ledger.of('api')).to.deep.equal([]);

    it('if no required URL is missing', async () => {
      const { authorizationUrl: authorization_url, tokenUrl: token_url } = provider;
      const { secrets } = await begin(deps, inputOf({ authorization_url, token_url }), FLOW);
      expect(secrets).to.include({ issuer: provider.url });
      await refresh(deps, inputOf({ authorization_url, token_url }), stored());
      askedNothing();
    });

    it('for apps of users, which need no redirect, if the token endpoint is known', async () => {
      const { clientId, clientSecret, tokenUrl: token_url } = provider;
      const app = { type: 'OAUTH2_CC' as const, clientId, clientSecret, token: 'one', raw: {}, receivedAt: NOW.toISOString() };
      await oauth2Cc.refresh?.(deps, inputOf({ token_url }), app);
      expect(await oauth2Cc.revoke?.(deps, inputOf({ token_url }), app)).to.equal('none');
      askedNothing();
    });

    it('without an issuer', async () => {
      expect(await tokenFailure(refresh(deps, inputOf({ issuer: undefined }), stored()))).to.include({ kind: 'transient' });
      askedNothing();
    });
  });

  describe('from a setting or a field', () => {
    const asSetting = {
      issuer: undefined,
      authorization_url: '${integrationConfig.authorization_url}',
      token_url: '${integrationConfig.token_url}',
      integration_config: { issuer: ISSUER_FIELD, authorization_url: URL_FIELD, token_url: URL_FIELD },
    };

    it('fills the URLs that are not set', async () => {
      const input = inputOf(asSetting, { integrationConfig: { issuer: provider.url } });
      expect((await begin(deps, input, FLOW)).url).to.include(`${provider.url}/authorize?`);
      expect(provider.grants.isLive((await refresh(deps, input, stored())).accessToken)).to.equal(true);
    });

    it('does not replace a URL that is set', async () => {
      const integrationConfig = { issuer: provider.url, authorization_url: 'https://own.example/authorize' };
      const { url } = await begin(deps, inputOf(asSetting, { integrationConfig }), FLOW);
      expect(url).to.include('https://own.example/authorize?');
      expect(
        provider.grants.isLive((await refresh(deps, inputOf(asSetting, { integrationConfig }), stored())).accessToken),
      ).to.equal(true);
    });

    const ofHost = {
      issuer: '${connectionConfig.host}',
      connection_config: { host: { type: 'string' as const, title: 'Host', pattern: 'http://127\\.0\\.0\\.1:[0-9]+' } },
    };

    it('is asked for metadata if the field admits it', async () => {
      const input = inputOf(ofHost, { connectionConfig: { host: provider.url } });
      expect((await begin(deps, input, FLOW)).url).to.include(`${provider.url}/authorize?`);
    });

    for (const [what, connectionConfig] of [
      ['no value', {}],
      ['a value that its field does not admit', { host: 'https://evil.example' }],
    ] as const) {
      it(`is not asked for metadata if the field has ${what}`, async () => {
        const failure = await failureOf(begin(deps, inputOf(ofHost, { connectionConfig }), FLOW));
        expect(failure).to.include({ code: 'invalid_query_params' });
        expect(failure).to.have.nested.property('details[0].path').that.deep.equals(['params', 'host']);
        expect(await tokenFailure(refresh(deps, inputOf(ofHost, { connectionConfig }), stored()))).to.include({
          kind: 'transient',
        });
      });
    }
  });
});
