import { expect } from 'chai';
import { type ModeInput, TokenFailure } from '../../../../core/auth-modes/auth-mode.ts';
import { challengeOf } from '../../../../core/auth-modes/building-blocks/pkce.ts';
import { authorizationRequest } from '../../../../core/auth-modes/oauth2/authorize.ts';
import { complete } from '../../../../core/auth-modes/oauth2/exchange.ts';
import { inputFor, NOW, REDIRECT_URI, tokenFailure, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';

const ISSUER = 'https://issuer.example';
const ISSUER_FIELD = { integration_config: { issuer: { type: 'string', title: 'Issuer' } } } as const;

describe('the code exchange', function () {
  const { provider, deps } = useProvider(this, { pkce: 'required' });

  /** Begins a flow and lets the user agree. @returns the flow's secrets and the code that the provider issued */
  function agreed(input: ModeInput) {
    const { secrets, url } = authorizationRequest({ input }, { state: 's', redirectUri: REDIRECT_URI, authorizationParams: {} });
    const challenge = new URL(url).searchParams.get('code_challenge') ?? '';
    return { secrets, code: provider.grants.issueCode({ redirectUri: REDIRECT_URI, scope: 'read', challenge }) };
  }

  const failure = (input: ModeInput, end: Parameters<typeof complete>[2]) => tokenFailure(complete(deps, input, end));

  it('trades code and verifier for tokens, with the redirect URI of the request', async () => {
    const input = inputFor(provider);
    const { secrets, code } = agreed(input);
    const { credentials } = await complete(deps, input, { query: { code, state: 's' }, secrets });
    expect(provider.ledger.of('token')[0]?.params).to.include({
      redirect_uri: REDIRECT_URI,
      code_verifier: secrets['codeVerifier'],
    });
    expect(credentials).to.include({ type: 'OAUTH2', expiresAt: '2026-03-01T13:00:00.000Z', receivedAt: NOW.toISOString() });
    expect(provider.grants.isLive(credentials.accessToken)).to.equal(true);
  });

  it('fails with a code stolen from another flow, because the verifier does not fit', async () => {
    const input = inputFor(provider);
    const stolen = agreed(input);
    const own = agreed(input);
    const { kind, providerCode } = await failure(input, { query: { code: stolen.code }, secrets: own.secrets });
    expect({ kind, providerCode }).to.deep.equal({ kind: 'refused', providerCode: 'invalid_grant' });
    expect(challengeOf(String(own.secrets['codeVerifier']))).to.not.equal(challengeOf(String(stolen.secrets['codeVerifier'])));
  });

  const ANSWERS_WITHOUT_EXCHANGE: [string, Record<string, string>, Partial<TokenFailure>][] = [
    ['a refusal by the user', { error: 'access_denied' }, { kind: 'refused', providerCode: 'access_denied' }],
    ['an error that may hold a secret', { error: 'secret token abc' }, { kind: 'refused', providerCode: undefined }],
    ['an error beside a code', { error: 'server_error', code: 'c' }, { kind: 'refused', providerCode: 'server_error' }],
    ['no code', { state: 's' }, { kind: 'malformed' }],
    ['an empty code', { code: '' }, { kind: 'malformed' }],
  ];
  for (const [response, query, facts] of ANSWERS_WITHOUT_EXCHANGE) {
    it(`ends without a token request on ${response}`, async () => {
      expect(await failure(inputFor(provider), { query, secrets: {} })).to.include(facts);
      expect(provider.ledger.of('token')).to.have.lengthOf(0);
    });
  }

  describe('with an expected issuer', () => {
    const input = () => inputFor(provider, ISSUER_FIELD, { integrationConfig: { issuer: ISSUER } });

    it('accepts that issuer', async () => {
      const { secrets, code } = agreed(input());
      const { credentials } = await complete(deps, input(), { query: { code, iss: ISSUER }, secrets });
      expect(credentials.accessToken).to.be.a('string');
    });

    for (const iss of ['https://evil.example', `${ISSUER}/`, ISSUER.toUpperCase(), '', undefined]) {
      it(`refuses ${iss === undefined ? 'no issuer' : `"${iss}"`} without a token request (RFC 9207)`, async () => {
        const { secrets, code } = agreed(input());
        const query: Record<string, string> = iss === undefined ? { code } : { code, iss };
        expect(await failure(input(), { query, secrets })).to.include({ kind: 'refused', status: 0 });
        expect(provider.ledger.of('token')).to.have.lengthOf(0);
      });
    }

    it('does not repeat the error of another issuer, but reports an error without an issuer', async () => {
      const { secrets } = agreed(input());
      const foreign = await failure(input(), { query: { error: 'access_denied', iss: 'https://evil.example' }, secrets });
      const plain = await failure(input(), { query: { error: 'access_denied' }, secrets });
      expect([foreign.providerCode, plain.providerCode]).to.deep.equal([undefined, 'access_denied']);
    });
  });

  describe('without a stated issuer', () => {
    it('accepts one at the origin of the provider’s endpoints', async () => {
      const input = inputFor(provider);
      const { secrets, code } = agreed(input);
      const { credentials } = await complete(deps, input, { query: { code, iss: `${provider.url}/tenant` }, secrets });
      expect(credentials.accessToken).to.be.a('string');
    });

    for (const iss of ['https://evil.example', 'http://127.0.0.1', 'nonsense', '']) {
      it(`refuses "${iss}" without a token request, and names the setting`, async () => {
        const input = inputFor(provider);
        const { secrets, code } = agreed(input);
        const { message } = await failure(input, { query: { code, iss }, secrets });
        expect(message).to.include('integration_config.issuer').and.not.include('evil');
        expect(provider.ledger.of('token')).to.have.lengthOf(0);
      });
    }
  });

  describe('with an issuer per tenant', () => {
    const issuer = 'https://login.example/{tenant}/v2.0';
    const TENANTS: readonly (readonly [iss: string, isRight: boolean])[] = [
      ['https://login.example/0000-aaaa/v2.0', true],
      ['https://login.example/acme.example/v2.0', true],
      ['https://login.example//v2.0', false],
      ['https://login.example/a/b/v2.0', false],
      ['https://login.example/a%2Fb/v2.0', false],
      ['https://login.example/acme/v2.0/', false],
      ['https://evil.example/acme/v2.0', false],
      ['http://login.example/acme/v2.0', false],
    ];
    for (const [iss, isRight] of TENANTS) {
      it(`${isRight ? 'accepts' : 'refuses'} ${iss}`, async () => {
        const input = inputFor(provider, { issuer });
        const { secrets, code } = agreed(input);
        const outcome = await complete(deps, input, { query: { code, iss }, secrets }).catch((error: unknown) => error);
        expect(outcome instanceof TokenFailure).to.equal(!isRight);
      });
    }

    it('fills the issuer from the connection, and lets the integration state another', async () => {
      const definition = {
        issuer: 'https://${connectionConfig.domain}/oauth',
        connection_config: { domain: { type: 'string', title: 'Domain', format: 'hostname' } },
      } as const;
      const filled = agreed(inputFor(provider, definition, { connectionConfig: { domain: 'acme.example' } }));
      expect(filled.secrets).to.include({ issuer: 'https://acme.example/oauth' });
      const integrationConfig = { issuer: 'https://own.example/${connectionConfig.domain}' };
      const own = agreed(inputFor(provider, definition, { connectionConfig: { domain: 'acme.example' }, integrationConfig }));
      expect(own.secrets).to.include(integrationConfig);
    });
  });

  it('keeps the members of query and response that the definition names, and only texts, numbers and booleans', async () => {
    const input = inputFor(provider, {
      redirect_uri_metadata: ['shop', 'absent'],
      token_response_metadata: ['team.id', 'count', 'team'],
    });
    const { secrets, code } = agreed(input);
    provider.next('token', { members: { team: { id: 'T1' }, count: 3 } });
    const { connectionConfig } = await complete(deps, input, { query: { code, shop: 'acme', other: 'x' }, secrets });
    expect(connectionConfig).to.deep.equal({ shop: 'acme', 'team.id': 'T1', count: 3 });
  });

  it('leaves out texts that are too long for a configuration', async () => {
    const input = inputFor(provider, { redirect_uri_metadata: ['shop'], token_response_metadata: ['site', 'note'] });
    const { secrets, code } = agreed(input);
    provider.next('token', { members: { site: 's'.repeat(2048), note: 'n'.repeat(2049) } });
    const { connectionConfig } = await complete(deps, input, { query: { code, shop: 's'.repeat(2049) }, secrets });
    expect(connectionConfig).to.deep.equal({ site: 's'.repeat(2048) });
  });

  it('leaves out texts that the database cannot hold', async () => {
    const input = inputFor(provider, { redirect_uri_metadata: ['shop'], token_response_metadata: ['zero', 'half', 'whole'] });
    const { secrets, code } = agreed(input);
    provider.next('token', { members: { zero: 'a\0b', half: 'a\ud800b', whole: 'a🔑b' } });
    const { connectionConfig } = await complete(deps, input, { query: { code, shop: 'a\0b' }, secrets });
    expect(connectionConfig).to.deep.equal({ whole: 'a🔑b' });
  });
});
