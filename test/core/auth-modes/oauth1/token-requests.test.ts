import { expect } from 'chai';
import { type FlowEnd, type ModeInput, TokenFailure } from '../../../../core/auth-modes/auth-mode.ts';
import { oauth1 } from '../../../../core/auth-modes/oauth1/index.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { type OAuth1Provider, startOAuth1Provider } from '../../../support/oauth1-provider/oauth1-provider.ts';
import { use } from '../../../support/use.ts';
import { modeInput, tokenFailure } from '../building-blocks/token-endpoint/mode-input.ts';

const FLOW = { state: 'state-1', redirectUri: 'https://svc.example/oauth/callback?env=1', authorizationParams: {} };

function inputFor(provider: OAuth1Provider, changes: Partial<ModeInput> = {}): ModeInput {
  return modeInput(
    {
      auth_mode: 'OAUTH1',
      request_url: `${provider.url}/request_token`,
      authorization_url: `${provider.url}/authorize`,
      token_url: `${provider.url}/access_token`,
    },
    { client: { clientId: provider.clientId, clientSecret: provider.clientSecret, scopes: [] }, ...changes },
  );
}

async function refusal(work: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await work.catch((fault: unknown) => fault);
  return error instanceof ServiceError ? error : expect.fail(`no ServiceError: ${error}`);
}

describe('the token requests of OAuth 1', function () {
  const provider = use(this, startOAuth1Provider);
  const outbound = use(this, () => createOutbound({ allow: ['127.0.0.1/32'] }));
  const deps = () => ({ outbound, now: () => new Date() });
  const { begin = expect.fail(), complete = expect.fail() } = oauth1;

  afterEach(() => {
    for (const endpoint of ['request', 'token'] as const) provider.always(endpoint, {});
  });

  async function returned(input: ModeInput): Promise<FlowEnd> {
    const { url, secrets } = await begin(deps(), input, FLOW);
    const { headers } = await fetch(url, { redirect: 'manual' });
    return { secrets, query: Object.fromEntries(new URL(headers.get('location') ?? '').searchParams) };
  }

  it('keep the query that the callback URL has', async () => {
    const { query } = await returned(inputFor(provider));
    expect(query).to.include({ env: '1', state: 'state-1' });
  });

  it('ignore a request token and a callback among the parameters of the flow', async () => {
    const authorizationParams = { oauth_token: 'own', oauth_callback: 'https://attacker.example', prompt: 'x' };
    const { url, secrets } = await begin(deps(), inputFor(provider), { ...FLOW, authorizationParams });
    const params = Object.fromEntries(new URL(url).searchParams);
    expect(params).to.deep.equal({ oauth_token: secrets['requestToken'], prompt: 'x' });
  });

  it('are given up if the provider does not respond', async () => {
    for (const delivery of ['hang', 'stall'] as const) {
      provider.next('request', { delivery });
      const error = await refusal(begin({ ...deps(), tokenCallMs: 200 }, inputFor(provider), FLOW));
      expect(error.code).to.equal('provider_unavailable');

      const end = await returned(inputFor(provider));
      provider.next('token', { delivery });
      const failure = await tokenFailure(complete({ ...deps(), tokenCallMs: 200 }, inputFor(provider), end));
      expect(failure).to.include({ kind: 'unknown', status: 0 });
    }
  });

  it('are not sent without an app or with an invalid key, which errors do not quote', async () => {
    const calls = provider.ledger.entries.length;
    const none = { clientId: '', clientSecret: '', scopes: [] };
    expect(await refusal(begin(deps(), inputFor(provider, { client: none }), FLOW))).to.include({ code: 'missing_client_id' });
    const input = inputFor(provider, { client: { clientId: 'a', clientSecret: 'no key at all', scopes: [] } });
    const byRsa = { ...input, definition: { ...input.definition, signature_method: 'RSA-SHA1' as const } };
    const error = await refusal(begin(deps(), byRsa, FLOW));
    expect(error.code).to.equal('missing_client_id');
    expect(`${error.message} ${String(error.cause)}`)
      .to.include('PEM')
      .and.not.include('no key at all');
    expect(provider.ledger.entries).to.have.length(calls);
  });

  it('are not sent while a URL lacks a value', async () => {
    const input = inputFor(provider);
    for (const name of ['request_url', 'authorization_url'] as const) {
      const lacking = { ...input.definition, [name]: `${provider.url}/\${connectionConfig.site}` };
      const error = await refusal(begin(deps(), { ...input, definition: lacking }, FLOW));
      expect(error.code).to.equal('invalid_query_params');
      expect(error.details).to.deep.include({ ...error.details?.[0], code: 'required', path: ['params', 'site'] });
    }
  });

  it('are refused for a flow of another mode', async () => {
    const query = { oauth_token: 'a', oauth_verifier: 'b' };
    const failure = await tokenFailure(complete(deps(), inputFor(provider), { query, secrets: { codeVerifier: 'c' } }));
    expect(failure).to.be.instanceOf(TokenFailure).and.include({ kind: 'malformed' });
  });

  it('never repeat a nonce', async () => {
    const nonces = new Set<string>();
    const sign = oauth1.signer?.(
      { type: 'OAUTH1', oauthToken: 't', oauthTokenSecret: 's', raw: {}, receivedAt: '' },
      inputFor(provider),
    );
    const request = { method: 'GET', origin: 'https://a.example', path: '/', headers: [], at: new Date() };
    for (let call = 0; call < 100_000; call += 1)
      nonces.add(/oauth_nonce="([^"]+)"/.exec(sign?.(request)['authorization'] ?? '')?.[1] ?? '');
    expect(nonces.size).to.equal(100_000);
  }).timeout(60_000);
});
