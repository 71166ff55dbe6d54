import { expect } from 'chai';
import type { ProviderDefinition } from '#contract';
import type { ModeInput } from '../../../../core/auth-modes/auth-mode.ts';
import { challengeOf } from '../../../../core/auth-modes/building-blocks/pkce.ts';
import { authorizationRequest } from '../../../../core/auth-modes/oauth2/authorize.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { modeInput, REDIRECT_URI } from '../building-blocks/token-endpoint/mode-input.ts';

const FLOW = { state: 'the-state', redirectUri: REDIRECT_URI, authorizationParams: {} };

function parametersOf(input: ModeInput, flow = FLOW): Record<string, string> {
  return Object.fromEntries(new URL(authorizationRequest({ input }, flow).url).searchParams);
}

describe('PKCE', () => {
  it('makes the challenge of RFC 7636 Appendix B', () => {
    expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).to.equal('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
  });

  it('sends an S256 challenge and keeps a verifier of 43 to 128 unreserved characters, fresh for every flow', () => {
    const verifiers = Array.from({ length: 100 }, () => {
      const { url, secrets } = authorizationRequest({ input: modeInput() }, FLOW);
      const query = new URL(url).searchParams;
      expect(query.get('code_challenge_method')).to.equal('S256');
      expect(query.get('code_challenge')).to.equal(challengeOf(String(secrets['codeVerifier'])));
      return String(secrets['codeVerifier']);
    });
    for (const verifier of verifiers) expect(verifier).to.match(/^[A-Za-z0-9._~-]{43,128}$/);
    expect(new Set(verifiers)).to.have.lengthOf(verifiers.length);
  });

  it('is left out only where the definition says that the provider breaks on it', () => {
    const { url, secrets } = authorizationRequest({ input: modeInput({ disable_pkce: true }) }, FLOW);
    expect(new URL(url).searchParams.has('code_challenge')).to.equal(false);
    expect(secrets).to.not.have.property('codeVerifier');
  });

  it('cannot be replaced by parameters of the flow or of the definition', () => {
    const forged = {
      code_challenge: 'mine',
      code_challenge_method: 'plain',
      state: 'mine',
      redirect_uri: 'https://evil.example',
    };
    const input = modeInput({ authorization_params: forged });
    const query = parametersOf(input, { ...FLOW, authorizationParams: forged });
    expect(query).to.include({ code_challenge_method: 'S256', state: 'the-state', redirect_uri: REDIRECT_URI });
    expect(query['code_challenge']).to.not.equal('mine');
  });
});

describe('the authorization URL', () => {
  it('carries client, redirect URI, state and scopes', () => {
    expect(parametersOf(modeInput())).to.include({
      response_type: 'code',
      client_id: 'the-client',
      redirect_uri: REDIRECT_URI,
      scope: 'read write',
      state: 'the-state',
    });
  });

  const scopeCases: [string, Partial<ProviderDefinition>, readonly string[], string | undefined][] = [
    ['joins with the separator of the definition', { scope_separator: ',' }, ['a', 'b'], 'a,b'],
    ['asks for the default scopes when the integration names none', { default_scopes: ['x'] }, [], 'x'],
    ['asks for scopes that are described by their names', { default_scopes: ['x', { name: 'y', sensitive: true }] }, [], 'x y'],
    ['asks for no scope when there is none', {}, [], undefined],
  ];
  for (const [rule, definition, scopes, scope] of scopeCases) {
    it(rule, () => {
      const client = { clientId: 'the-client', clientSecret: '', scopes };
      expect(parametersOf(modeInput(definition, { client }))['scope']).to.equal(scope);
    });
  }

  it('asks for the scopes of the user’s token as well, unless the backend names others', () => {
    const definition = { user_scopes: ['search:read', { name: 'chat:write' }], scope_separator: ',' };
    expect(parametersOf(modeInput(definition))).to.include({ scope: 'read,write', user_scope: 'search:read,chat:write' });
    const preset = { ...FLOW, authorizationParams: { user_scope: 'users:read' } };
    expect(parametersOf(modeInput(definition), preset)['user_scope']).to.equal('users:read');
    expect(parametersOf(modeInput({ user_scopes: [] }))).not.to.have.property('user_scope');
  });

  it('lets the definition, then the plugin, then the backend add parameters', () => {
    const rules = { authorizationParams: () => ({ b: 'plugin', c: 'plugin' }) };
    const query = parametersOf(modeInput({ authorization_params: { a: 'definition', b: 'definition' } }, { rules }), {
      ...FLOW,
      authorizationParams: { c: 'backend' },
    });
    expect(query).to.include({ a: 'definition', b: 'plugin', c: 'backend' });
  });

  it('keeps the redirect URI and the expected issuer for the callback', () => {
    const field = { type: 'string', title: 'Issuer' } as const;
    const input = modeInput(
      { integration_config: { issuer: field } },
      { integrationConfig: { issuer: 'https://issuer.example' } },
    );
    const { secrets } = authorizationRequest({ input }, FLOW);
    expect(secrets).to.include({ redirectUri: REDIRECT_URI, issuer: 'https://issuer.example' });
  });

  it('needs a client ID', () => {
    const input = modeInput({}, { client: { clientId: '', clientSecret: '', scopes: [] } });
    expect(() => authorizationRequest({ input }, FLOW))
      .to.throw(ServiceError)
      .with.property('code', 'missing_client_id');
  });
});

describe('a templated authorization host', () => {
  const definition: Partial<ProviderDefinition> = {
    authorization_url: 'https://${connectionConfig.subdomain}.example.com/authorize',
    connection_config: { subdomain: { type: 'string', title: 'Subdomain', pattern: '[a-z0-9-]+' } },
  };

  it('is filled from the connection', () => {
    const { url } = authorizationRequest({ input: modeInput(definition, { connectionConfig: { subdomain: 'acme' } }) }, FLOW);
    expect(new URL(url).host).to.equal('acme.example.com');
  });

  const BAD = {
    'another host': 'evil.com/',
    'a user name': 'x@evil.com',
    'a fragment': 'evil.com#',
    'a query': 'evil.com?',
    'a line break': 'a\r\nHost: evil.com',
    'an escape': '..%2f',
    'another label': 'evil.com.a',
    'a placeholder': '${connectionConfig.subdomain}',
    'upper case, which the pattern does not allow': 'ACME',
    'a number': 7,
    'an object': { toString: 'acme' },
    nothing: '',
  };
  for (const [fault, subdomain] of Object.entries(BAD)) {
    it(`is refused with ${fault}, even if that was stored`, () => {
      const input = modeInput(definition, { connectionConfig: { subdomain } });
      expect(() => authorizationRequest({ input }, FLOW))
        .to.throw(ServiceError)
        .with.property('code', 'invalid_query_params');
    });
  }
});
