import { expect } from 'chai';
import type { ProviderDefinition } from '#contract';
import { ForeignResponse } from '../../../../core/auth-modes/auth-mode.ts';
import { authorizationRequest } from '../../../../core/auth-modes/oauth2/authorize.ts';
import { complete } from '../../../../core/auth-modes/oauth2/exchange.ts';
import { refresh } from '../../../../core/auth-modes/oauth2/refresh.ts';
import type { StoredOAuth2 } from '../../../../core/auth-modes/oauth2/stored.ts';
import { inputFor, modeInput, REDIRECT_URI, tokenFailure, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';

const FLOW = { state: 'the-state', redirectUri: REDIRECT_URI, authorizationParams: {} };
const TOKENS = { response: { status: 200, body: '{"data":{"token":"A1","renewal":"R1","until":1772370000},"region":"eu"}' } };
const STORED: StoredOAuth2 = {
  type: 'OAUTH2',
  accessToken: 'A0',
  refreshToken: 'R0',
  receivedAt: '2026-03-01T11:00:00Z',
  raw: {},
};
/** A definition that deviates from the standard wherever a definition can. */
const DIALECT: Partial<ProviderDefinition> = {
  authorization_param_names: { client_id: 'app_id', state: 'nonce' },
  token_param_names: { client_id: 'app_id', client_secret: 'secret', code: 'auth_code', refresh_token: 'renewal' },
  omit_params: { authorization: ['response_type', 'scope'], token: ['grant_type', 'redirect_uri'] },
  callback_code_param: 'auth_code',
  authorization_params: { for: '${clientId}' },
  token_params: { proof: '${clientId}/${clientSecret}' },
  token_headers: { 'x-app': '${clientId}' },
  disable_pkce: true,
  token_response: { token: 'data.token', refresh_token: 'data.renewal', token_expiration: 'data.until' },
};

describe('a provider with its own parameter names', function () {
  const { provider, deps } = useProvider(this);

  function call() {
    const [entry] = provider.ledger.of('token');
    return { ...entry, params: Object.fromEntries(new URLSearchParams(entry?.body.toString())) };
  }

  it('is asked for authorization by its names, without what it does not take', () => {
    const url = new URL(authorizationRequest({ input: modeInput(DIALECT) }, FLOW).url);
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({
      for: 'the-client',
      app_id: 'the-client',
      redirect_uri: REDIRECT_URI,
      nonce: 'the-state',
    });
  });

  it('is asked for tokens by its names, which are read where it puts them', async () => {
    provider.next('token', TOKENS);
    const end = { query: { auth_code: 'C1', code: 'other' }, secrets: { redirectUri: REDIRECT_URI } };
    const { credentials } = await complete(deps, inputFor(provider, DIALECT), end);
    expect(credentials).to.include({ accessToken: 'A1', refreshToken: 'R1', expiresAt: '2026-03-01T13:00:00.000Z' });
    const { clientId: app_id, clientSecret: secret } = provider;
    expect(call().params).to.deep.equal({ proof: `${app_id}/${secret}`, auth_code: 'C1', app_id, secret });
    expect(call().headers).to.include({ 'x-app': app_id });
  });

  it('is asked for a refresh by its names', async () => {
    provider.next('token', TOKENS);
    const renewed = await refresh(deps, inputFor(provider, DIALECT), STORED);
    expect(renewed).to.include({ accessToken: 'A1', refreshToken: 'R1' });
    expect(call().params).to.include({ renewal: 'R0' }).and.to.not.have.any.keys('grant_type', 'refresh_token');
  });

  it('is asked by GET, with everything in the query, if the definition says so', async () => {
    provider.next('token', TOKENS);
    await refresh(deps, inputFor(provider, { ...DIALECT, token_request_method: 'GET' }), STORED);
    expect(call()).to.include({ method: 'GET', bodyBytes: 0 });
    expect(call().headers).to.not.have.any.keys('content-type', 'content-length');
    const target = new URL(call().target ?? '', provider.url);
    expect(Object.fromEntries(target.searchParams)).to.include({ renewal: 'R0', app_id: provider.clientId });
  });

  it('receives values as they are, never read as templates', async () => {
    provider.next('token', TOKENS);
    const end = { query: { auth_code: '${clientSecret}' }, secrets: {} };
    await complete(deps, inputFor(provider, DIALECT), end);
    expect(call().params).to.include({ auth_code: '${clientSecret}' });
  });
});

describe('a value of the callback that decides a host', function () {
  const { provider, deps } = useProvider(this);
  const address = { pattern: 'http://127\\.0\\.0\\.1:[0-9]{1,5}', automated: true };

  function exchange(server: string) {
    const connection_config = { 'accounts-server': { type: 'string' as const, title: 'Server', ...address } };
    const definition = { connection_config, redirect_uri_metadata: ['accounts-server', 'location'] };
    const input = inputFor(provider, { ...definition, token_url: '${connectionConfig.accounts-server}/token' });
    return complete(deps, input, { query: { code: 'C1', location: 'eu', 'accounts-server': server }, secrets: {} });
  }

  it('is used for the exchange, and kept', async () => {
    provider.next('token', { response: { status: 200, body: '{"access_token":"A1"}' } });
    const { connectionConfig } = await exchange(provider.url);
    expect(connectionConfig).to.deep.equal({ 'accounts-server': provider.url, location: 'eu' });
    expect(provider.ledger.of('token')).to.have.lengthOf(1);
  });

  for (const server of ['https://evil.example', 'http://127.0.0.1:1@evil.example', 'http://127.0.0.1.evil.example:1', ' ']) {
    it(`ends the flow if its pattern does not admit it: ${JSON.stringify(server)}`, async () => {
      const failure = await tokenFailure(exchange(server));
      expect(failure).to.be.instanceOf(ForeignResponse);
      expect(failure.message).to.contain('accounts-server').and.to.not.contain('evil');
      expect(provider.ledger.entries).to.deep.equal([]);
    });
  }
});
