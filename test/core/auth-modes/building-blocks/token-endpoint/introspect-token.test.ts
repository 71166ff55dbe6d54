import { expect } from 'chai';
import type { ProviderDefinition } from '#contract';
import { oauth2 } from '../../../../../core/auth-modes/oauth2/index.ts';
import { oauth2Cc } from '../../../../../core/auth-modes/oauth2-cc/index.ts';
import type { Outbound } from '../../../../../core/kit/outbound.ts';
import type { Behaviour } from '../../../../support/scripted-server/behaviour.ts';
import { inputFor, NOW, useProvider } from './mode-input.ts';

const SECONDS = NOW.getTime() / 1000;
const EXPIRY = '2026-03-01T14:00:00.000Z';
const SILENT = { members: { expires_in: undefined } };

/** Responses of the introspection endpoint that leave the expiry unknown. */
const USELESS: Readonly<Record<string, Behaviour>> = {
  'an inactive token': { members: { active: false } },
  'no expiry': { members: { exp: undefined } },
  'an expiry that is no number': { members: { exp: EXPIRY } },
  'an expiry in the past': { members: { exp: SECONDS - 1 } },
  'an expiry in a far future': { members: { exp: SECONDS * 1000 } },
  'an active token in words': { members: { active: 'true' } },
  'an error': { response: { status: 403, body: '{"error":"access_denied"}' } },
  'no JSON': { response: { status: 200, body: '<html>' } },
  'no response': { delivery: 'hang' },
};

describe('the expiry of a token that its response does not state', function () {
  const { provider, deps } = useProvider(this, { pkce: 'ignored' });

  function inputOf(definition: Partial<ProviderDefinition> = {}) {
    return inputFor(provider, { introspection_url: `${provider.url}/introspect`, ...definition });
  }

  function code(): string {
    return provider.grants.issueCode({ redirectUri: 'r', scope: 'read' });
  }

  function oldTokens() {
    const { refreshToken = '' } = provider.grants.redeem(code(), 'r', undefined) ?? {};
    return { type: 'OAUTH2' as const, accessToken: 'old', refreshToken, receivedAt: NOW.toISOString(), raw: {} };
  }

  async function renewed(definition: Partial<ProviderDefinition> = {}, statedLifetimeMs?: number) {
    const stored = oldTokens();
    const lifetime = statedLifetimeMs === undefined ? {} : { statedLifetimeMs };
    return oauth2.refresh?.({ ...deps, tokenCallMs: 2_000 }, inputOf(definition), { ...stored, ...lifetime });
  }

  beforeEach(() => {
    provider.always('token', SILENT);
    provider.always('introspect', { members: { exp: SECONDS + 7200 } });
  });

  it('is asked for after a refresh, as the client', async () => {
    const tokens = await renewed();
    expect(tokens).to.include({ expiresAt: EXPIRY }).and.not.to.have.property('statedLifetimeMs');
    const [call, ...others] = provider.ledger.of('introspect');
    expect(call?.params).to.deep.equal({
      token: tokens?.accessToken,
      token_type_hint: 'access_token',
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
    });
    expect(others).to.deep.equal([]);
  });

  it('is asked for after the exchange of a code', async () => {
    const end = { query: { code: code() }, secrets: { redirectUri: 'r' } };
    const completed = await oauth2.complete?.(deps, inputOf(), end);
    expect(completed?.credentials).to.include({ expiresAt: EXPIRY });
  });

  it('is asked for with client credentials, as the user’s own client', async () => {
    const { clientId, clientSecret } = provider;
    provider.always('token', { response: { status: 200, body: '{"access_token":"of-the-client"}' } });
    provider.always('introspect', { response: { status: 200, body: JSON.stringify({ active: true, exp: SECONDS + 7200 }) } });
    const stored = { type: 'OAUTH2_CC' as const, clientId, clientSecret, token: '', raw: {}, receivedAt: NOW.toISOString() };
    const input = { ...inputOf(), client: { clientId: '', clientSecret: '', scopes: [] } };
    expect(await oauth2Cc.refresh?.(deps, input, stored)).to.include({ expiresAt: EXPIRY });
    expect(provider.ledger.of('introspect')[0]?.body.toString()).to.include(`client_id=${clientId}`);
  });

  it('is asked for by POST even if tokens are requested by GET', async () => {
    provider.settings.dialect = { token_request_method: 'GET' };
    expect(await renewed({ token_request_method: 'GET' })).to.include({ expiresAt: EXPIRY });
    expect(provider.ledger.of('introspect')[0]?.method).to.equal('POST');
  });

  for (const [what, definition, lifetimeMs] of [
    ['the definition states a lifetime', { token_lifetime: 60 }, undefined],
    ['an earlier response stated one', {}, 60_000],
    ['there is no such endpoint', { introspection_url: undefined }, undefined],
  ] as const) {
    it(`is not asked for if ${what}`, async () => {
      const tokens = await renewed(definition, lifetimeMs);
      expect(tokens?.expiresAt).to.equal(what.startsWith('there') ? undefined : '2026-03-01T12:01:00.000Z');
      expect(provider.ledger.of('introspect')).to.deep.equal([]);
    });
  }

  it('is not asked for if the response states it', async () => {
    provider.always('token', {});
    await renewed();
    expect(provider.ledger.of('introspect')).to.deep.equal([]);
  });

  it("is converted to our clock if the server's is wrong", async () => {
    const issued = { access_token: 'of-a-server-ahead' };
    provider.always('token', { response: { status: 200, body: JSON.stringify(issued) } });
    const headers = { date: 'Sun, 01 Mar 2026 14:00:00 GMT' };
    const body = JSON.stringify({ active: true, exp: SECONDS + 3 * 3600 });
    provider.always('introspect', { response: { status: 200, headers, body } });
    expect(await renewed()).to.include({ expiresAt: '2026-03-01T13:00:00.000Z' });
  });

  for (const [what, behaviour] of Object.entries(USELESS)) {
    it(`stays unknown after ${what}, and the new token is kept`, async () => {
      provider.always('introspect', behaviour);
      const tokens = await renewed();
      expect(tokens).to.not.have.property('expiresAt');
      expect(provider.grants.isLive(tokens?.accessToken ?? '')).to.equal(true);
    });
  }

  describe('while a new refresh token waits to be stored', () => {
    /**
     * Refreshes the tokens of an integration whose client secret has just been rotated.
     *
     * @param during is called with the timeout before each introspection
     */
    async function renewedAsRotated(during: (timeoutMs: number | undefined) => void): Promise<void> {
      const outbound: Outbound = {
        ...deps.outbound,
        call: (url, request) => {
          if (String(url).endsWith('/introspect')) during(request?.timeoutMs);
          return deps.outbound.call(url, request);
        },
      };
      const input = inputOf();
      const previousSecret = { secret: 'the one before', until: '2027-01-01T00:00:00.000Z' };
      const asRotated = { ...input, client: { ...input.client, previousSecret } };
      const tokens = await oauth2.refresh?.({ ...deps, outbound }, asRotated, oldTokens());
      expect(provider.grants.isLive(tokens?.accessToken ?? '')).to.equal(true);
    }

    it('is asked for once, for two seconds at most', async () => {
      provider.always('introspect', { response: { status: 401, body: '{"error":"invalid_client"}' } });
      const timeouts: (number | undefined)[] = [];
      await renewedAsRotated((timeoutMs) => timeouts.push(timeoutMs));
      expect(timeouts).to.deep.equal([2_000]);
    });

    it('does not fail the refresh, even by an internal error', async () => {
      await renewedAsRotated(() => {
        throw new TypeError('a fault');
      });
    });
  });
});
