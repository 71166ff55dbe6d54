import { expect } from 'chai';
import { validityOf } from '../../../../core/auth-modes/validity.ts';
import { canary } from '../../../support/canaries.ts';
import { NOW, tokenFailure, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';
import { ENTERED, json, PASSWORD, refresh, twoStepInput } from './two-step-input.ts';

describe('a session that is refreshed', function () {
  const { provider, deps } = useProvider(this);
  const OLD = { ...ENTERED, token: canary('old token'), statedLifetimeMs: 60_000, raw: { a: 1 } };
  const REFRESHING = {
    refresh_params: { grant_type: 'refresh_token', refresh_token: '${credentials.refresh_token}' },
    token_response: { token: 'token', refresh_token: 'next' },
  };

  const calls = () =>
    provider.ledger.entries.map(({ target, body }) => [target, Object.fromEntries(new URLSearchParams(String(body)))]);
  const refreshing = () => twoStepInput(provider, { ...REFRESHING, refresh_url: `${provider.url}/renewal` });
  const SIGN_IN = ['/token', { user: 'ada', pass: PASSWORD }];
  const RENEWAL = ['/renewal', { grant_type: 'refresh_token', refresh_token: 'r-1' }];

  it('is signed in again with the entered values, and keeps its lifetime', async () => {
    provider.always('token', { response: json(200, { token: 'new' }) });
    const renewed = await refresh(deps, twoStepInput(provider), OLD);
    const { credentials } = ENTERED;
    expect(renewed).to.deep.equal({
      type: 'TWO_STEP',
      credentials,
      token: 'new',
      expiresAt: '2026-03-01T12:01:00.000Z',
      statedLifetimeMs: 60_000,
      receivedAt: NOW.toISOString(),
      raw: { token: 'new' },
    });
    expect(validityOf(renewed).refreshable).to.equal(true);
    expect(calls()).to.deep.equal([SIGN_IN]);
  });

  it('is refreshed by its refresh token if it has one, which is kept or replaced', async () => {
    provider.next('api', { response: json(200, { token: 'second', next: 'r-2' }) }, { response: json(200, { token: 'third' }) });
    const second = await refresh(deps, refreshing(), { ...OLD, refreshToken: 'r-1' });
    expect(second).to.include({ token: 'second', refreshToken: 'r-2' });
    const third = await refresh(deps, refreshing(), second);
    expect(third).to.include({ token: 'third', refreshToken: 'r-2' });
    expect(calls()[0]).to.deep.equal(RENEWAL);
    expect(provider.ledger.of('token')).to.deep.equal([]);
  });

  for (const [status, error] of [
    [400, 'invalid_grant'],
    [400, 'invalid_request'],
    [401, ''],
  ] as const) {
    it(`is signed in again when its refresh token gets ${status} ${error}`, async () => {
      provider.always('api', { response: json(status, { error }) });
      provider.always('token', { response: json(200, { token: 'new' }) });
      const renewed = await refresh(deps, refreshing(), { ...OLD, refreshToken: 'r-1' });
      expect(renewed).to.include({ token: 'new' }).and.to.not.have.property('refreshToken');
      expect(calls()).to.deep.equal([RENEWAL, SIGN_IN]);
    });
  }

  it('keeps its refresh token for the next attempt when the provider is in trouble', async () => {
    for (const [behaviour, kind] of [
      [{ response: json(503, {}) }, 'transient'],
      [{ response: json(429, {}) }, 'transient'],
      [{ delivery: 'reset' }, 'unknown'],
      [{ response: json(200, {}) }, 'malformed'],
    ] as const) {
      provider.next('api', behaviour);
      expect(await tokenFailure(refresh(deps, refreshing(), { ...OLD, refreshToken: 'r-1' }))).to.include({ kind });
    }
    expect(provider.ledger.of('token')).to.deep.equal([]);
  });

  it('needs the user only when the sign-in is refused, too', async () => {
    provider.always('api', { response: json(401, {}) });
    provider.always('token', { response: json(401, {}) });
    expect(await tokenFailure(refresh(deps, refreshing(), { ...OLD, refreshToken: 'r-1' }))).to.include({ kind: 'refused' });
  });
});
