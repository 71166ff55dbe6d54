import { expect } from 'chai';
import { bill } from '../../../../core/auth-modes/bill/index.ts';
import { canary } from '../../../support/canaries.ts';
import { serviceError } from '../../../support/service-error.ts';
import { inputFor, NOW, tokenFailure, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';
import { json } from '../two-step/two-step-input.ts';

describe('a BILL session', function () {
  const { provider, deps } = useProvider(this);
  const given = { username: 'ada', password: canary('BILL password'), organization_id: '008X', dev_key: canary('developer key') };
  const members = bill.form?.members ?? expect.fail();
  const stored = { ...bill.form?.store(members.parse(given)), type: 'BILL', receivedAt: NOW.toISOString() } as Parameters<
    typeof bill.templateValues
  >[0];
  const { prepare = expect.fail(), refresh = expect.fail() } = bill;

  const field = { type: 'string', title: 'Field' } as const;
  const input = () =>
    inputFor(provider, {
      auth_mode: 'BILL',
      body_format: 'json',
      token_params: {
        username: '${credentials.username}',
        password: '${credentials.password}',
        organizationId: '${credentials.organization_id}',
        devKey: '${credentials.dev_key}',
      },
      token_response: { token: 'sessionId', error: ['0.code'] },
      token_lifetime: 2100,
      revoked_codes: ['BDC_1101'],
      credentials: {
        username: field,
        organization_id: field,
        password: { ...field, secret: true },
        dev_key: { ...field, secret: true },
      },
    });

  it('is opened with the entered values and expires after the allowed idle time', async () => {
    const sessionId = canary('BILL session');
    provider.always('token', {
      response: json(200, { sessionId, userId: '006A', organizationId: '008X', devKey: given.dev_key }),
    });
    const opened = await prepare(deps, input(), stored);
    const { username, password, organization_id: organizationId, dev_key: devKey } = given;
    expect(JSON.parse(String(provider.ledger.of('token')[0]?.body))).to.deep.equal({
      username,
      password,
      organizationId,
      devKey,
    });
    expect(bill.present(opened, { withRefreshToken: false })).to.deep.equal({
      type: 'BILL',
      ...given,
      session_id: sessionId,
      user_id: '006A',
      expires_at: '2026-03-01T12:35:00.000Z',
      raw: { sessionId, userId: '006A', organizationId: '008X' },
    });
    expect(bill.templateValues(opened)).to.deep.equal({
      accessToken: sessionId,
      'credentials.session_id': sessionId,
      'credentials.dev_key': devKey,
    });
  });

  it('is replaced by a new one', async () => {
    provider.next(
      'token',
      { response: json(200, { sessionId: 'one', userId: '1' }) },
      { response: json(200, { sessionId: 'two' }) },
    );
    const first = await prepare(deps, input(), stored);
    const second = await refresh(deps, input(), first);
    expect(second).to.include({ sessionId: 'two' }).and.to.not.have.property('userId');
    expect(second).to.deep.include({ username: 'ada', raw: { sessionId: 'two' } });
  });

  for (const [what, response, kind, code] of [
    ['401', json(401, [{ code: 'BDC_1109' }]), 'refused', 'connection_test_failed'],
    ['a wrong password', json(400, [{ code: 'BDC_1101' }]), 'refused', 'connection_test_failed'],
    ['a wrong password with success', json(200, [{ code: 'BDC_1101' }]), 'refused', 'connection_test_failed'],
    ['another error', json(400, [{ code: 'BDC_1001' }]), 'transient', 'connection_test_failed'],
    ['too many requests', json(429, [{ code: 'BDC_1144' }]), 'transient', 'provider_unavailable'],
    ['trouble', json(500, []), 'transient', 'provider_unavailable'],
    ['a page', { status: 200, body: '<p>' }, 'malformed', 'provider_unavailable'],
  ] as const) {
    it(`cannot be opened after ${what}`, async () => {
      provider.always('token', { response });
      expect(await tokenFailure(refresh(deps, input(), stored))).to.include({ kind });
      expect(await serviceError(prepare(deps, input(), stored))).to.include({ code });
    });
  }
});
