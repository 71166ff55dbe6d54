import { expect } from 'chai';
import type { AuthRules, ProviderDefinition } from '#contract';
import { TokenFailure } from '../../../../../core/auth-modes/auth-mode.ts';
import {
  type ReceivedTokens,
  readTokenResponse,
} from '../../../../../core/auth-modes/building-blocks/token-endpoint/token-response.ts';
import { refresh } from '../../../../../core/auth-modes/oauth2/refresh.ts';
import type { StoredOAuth2 } from '../../../../../core/auth-modes/oauth2/stored.ts';
import { createOutbound } from '../../../../../core/kit/outbound.ts';
import { startFakeProvider } from '../../../../support/fake-provider/fake-provider.ts';
import { LIFETIMES, RESPONSES_WITHOUT_TOKEN } from '../../../../support/token-responses.ts';
import { inputFor, modeInput } from './mode-input.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const OLD: StoredOAuth2 = { type: 'OAUTH2', accessToken: 'old', refreshToken: 'R1', receivedAt: NOW.toISOString(), raw: {} };

interface Extras {
  readonly definition?: Partial<ProviderDefinition>;
  readonly rules?: AuthRules;
}

function read(body: string | object, { definition = {}, rules }: Extras = {}): ReceivedTokens {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = { status: 200, headers: {}, body: Buffer.from(text) };
  return readTokenResponse(modeInput(definition, { rules }), { response, receivedAt: NOW, previous: OLD });
}

/** Returns the lifetime of the tokens in seconds; undefined if their expiry is unknown. */
function lifetime({ expiresAt }: ReceivedTokens): number | undefined {
  return expiresAt === undefined ? undefined : (Date.parse(expiresAt) - NOW.getTime()) / 1000;
}

// What the response to a refresh with `R1` says about the refresh token, and the refresh token that is valid afterwards. Each is
// tested with each lifetime of `LIFETIMES`.
const REFRESH_TOKENS: [string, Record<string, unknown>, string][] = [
  ['no refresh token', {}, 'R1'],
  ['the same refresh token', { refresh_token: 'R1' }, 'R1'],
  ['a new refresh token', { refresh_token: 'R2' }, 'R2'],
  ['an empty refresh token', { refresh_token: '' }, 'R1'],
  ['a null refresh token', { refresh_token: null }, 'R1'],
];

describe('a token response', () => {
  for (const [tokenCase, tokens, refreshToken] of REFRESH_TOKENS) {
    for (const [lifetimeCase, expiresIn, seconds] of LIFETIMES) {
      it(`with ${tokenCase} and ${lifetimeCase} gives ${refreshToken} and ${seconds ?? 'no known expiry'}`, () => {
        const renewed = read({ access_token: 'A2', ...tokens, expires_in: expiresIn });
        expect(renewed).to.include({ accessToken: 'A2', refreshToken });
        expect(lifetime(renewed)).to.equal(seconds);
      });
    }
  }

  it('may be form-encoded', () => {
    const renewed = read('access_token=A2&refresh_token=R%2B2&expires_in=60&token_type=bearer');
    expect(renewed).to.deep.include({ accessToken: 'A2', refreshToken: 'R+2' });
    expect(lifetime(renewed)).to.equal(60);
  });

  it('may have an unusual token type, a byte order mark and unknown fields, all kept in raw', () => {
    const renewed = read(`\uFEFF${JSON.stringify({ access_token: 'A2', token_type: 7, x: [1] })}`);
    expect(renewed.raw).to.deep.equal({ access_token: 'A2', token_type: 7, x: [1] });
  });

  it('may count its lifetime in milliseconds', () => {
    expect(
      lifetime(read({ access_token: 'A2', expires_in: 60_000 }, { definition: { expires_in_unit: 'milliseconds' } })),
    ).to.equal(60);
  });

  it('may have the token and its related fields nested', () => {
    const definition = { alternate_access_token_response_path: 'authed_user.access_token' };
    const renewed = read({ ok: true, authed_user: { access_token: 'A2', refresh_token: 'R2', expires_in: 5 } }, { definition });
    expect(renewed).to.include({ accessToken: 'A2', refreshToken: 'R2' });
    expect(lifetime(renewed)).to.equal(5);
  });

  it('is parsed by the plugin if it has its own readTokens', () => {
    const rules: AuthRules = {
      readTokens: (body, now) => ({
        accessToken: String(body['jeton']),
        expiresAt: new Date(now.getTime() + 7_000),
        raw: body,
      }),
    };
    const renewed = read({ jeton: 'A2' }, { rules });
    expect(renewed).to.include({ accessToken: 'A2', refreshToken: 'R1' });
    expect(lifetime(renewed)).to.equal(7);
  });

  it('that the plugin cannot parse is malformed, and the error does not quote it', () => {
    const rules: AuthRules = {
      readTokens: (body) => {
        throw new Error(`no token in ${JSON.stringify(body)}`);
      },
    };
    const failing = () => read({ secret: 'hush' }, { rules });
    expect(failing)
      .to.throw(TokenFailure)
      .that.does.not.satisfy((error: Error) => `${error.stack}${error.cause}`.includes('hush'));
  });
});

describe('a response without a token', () => {
  it('is tested in forty forms', () => expect(RESPONSES_WITHOUT_TOKEN).to.have.lengthOf(40));

  for (const [form, body, headers = { 'content-type': 'application/json' }] of RESPONSES_WITHOUT_TOKEN) {
    it(`is refused: ${form}`, async () => {
      await using provider = await startFakeProvider();
      await using outbound = createOutbound({ allow: ['127.0.0.1/32'] });
      provider.next('token', { response: { status: 200, headers, body } });
      const deps = { outbound, now: () => NOW };
      const outcome = await refresh(deps, inputFor(provider), OLD).catch((error: unknown) => error);
      expect(outcome).to.be.instanceOf(TokenFailure);
      expect(outcome).to.have.property('kind').that.is.oneOf(['malformed', 'transient']);
    });
  }
});
