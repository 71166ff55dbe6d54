import { expect } from 'chai';
import { connectAgain, createIntegration, readConnection, throughProxy } from '../support/connect.ts';
import { ConnectedInstallation } from '../support/connected-installation.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { ODD_RESPONSES, REVOCATIONS } from '../support/odd-token-responses.ts';
import type { ScriptedResponse } from '../support/scripted-server/behaviour.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

const EXPIRED_SECONDS = 3601;
/** The age at which a token that lives an hour is due for a refresh, ten minutes before its expiry. */
const NEARLY_EXPIRED_SECONDS = 3000;
const OVER_SECONDS = 1200;
const LINE_BREAK_INSIDE = 'abc\r\nX-Injected: 1';

describe('a token response of a provider that rotates its refresh tokens', function () {
  const setup = use(this, () => ConnectedInstallation.open({ rotation: 'strict' }));

  for (const [form, behaviour] of ODD_RESPONSES) {
    it(`loses no token: ${form}`, async () => {
      for (const response of [behaviour, {}]) {
        setup.provider.next('token', response);
        await setup.advance(EXPIRED_SECONDS);
        const { status, body } = await setup.read();
        expect(status).to.equal(200);
        expect(setup.provider.grants.isLive(body.credentials.access_token)).to.equal(true);
      }
    });
  }

  for (const [form, token] of [
    ['a line break', LINE_BREAK_INSIDE],
    ['a letter outside ASCII', 'abc-ø'],
  ]) {
    it(`is refused when the access token has ${form} inside, and calls continue with the old token`, async () => {
      await using lenient = await startFakeProvider({ rotation: 'none' });
      await createIntegration(setup.app, lenient, { key: `lenient-${form}` });
      const other = await connectAgain(setup.app, `lenient-${form}`);
      const { credentials } = (await readConnection(setup.app, other)).body;
      lenient.next('token', { members: { access_token: token } });
      await setup.advance(NEARLY_EXPIRED_SECONDS);
      expect((await readConnection(setup.app, other)).body.credentials).to.deep.equal(credentials);
      expect(await throughProxy(setup.app, other, { path: '/me' })).to.have.property('status', 200);
      expect(await storedConnection(setup.installation.db, other)).to.include({
        state: 'degraded',
        state_cause: 'malformed_answer',
      });
    });
  }
});

describe('a refusal of the token endpoint', function () {
  const setup = use(this, () => ConnectedInstallation.open({ rotation: 'none' }));

  for (const [form, status, body] of REVOCATIONS) {
    it(`requires a new authorization by the user: ${form}`, async () => {
      expect(await refuse({ status, body: JSON.stringify(body) })).to.equal(424);
      await revive();
    });
  }

  for (const [form, status, body] of [
    ['invalid_grant with status 500', 500, { error: 'invalid_grant' }],
    ['bad_refresh_token with status 429', 429, { error: 'bad_refresh_token' }],
    ['invalid_token with status 401, which may be about the client', 401, { error: 'invalid_token' }],
    ['a code that neither the definition nor the integration names', 400, { error: 'account_closed' }],
  ] as const) {
    it(`is retried later: ${form}`, async () => {
      expect(await refuse({ status, body: JSON.stringify(body) })).to.equal(503);
      await revive();
    });
  }

  it('requires a new authorization with a code that the integration names, and the log states the code', async () => {
    const named = { integration_config: { revoked_codes: 'token_revoked, Account_Closed' } };
    expect(await setup.app.api.patch(`/integrations/${setup.connected.key}`, named)).to.have.property('status', 200);
    expect(await refuse({ status: 400, body: '{"error":"account_closed"}' })).to.equal(424);

    const { auth_error_log_id: logId } = await setup.stored();
    const { body } = await setup.app.api.get(`/logs/${logId}`);
    const [refusal] = body.data.messages.filter(({ facts }: { facts: object }) => 'providerError' in facts);
    expect(refusal.facts.providerError).to.equal('Account_Closed');
    await revive();
  });

  async function refuse(response: ScriptedResponse): Promise<number> {
    setup.provider.next('token', { response: response });
    await setup.advance(NEARLY_EXPIRED_SECONDS + OVER_SECONDS);
    return (await setup.read()).status;
  }

  async function revive(): Promise<void> {
    expect(await setup.read('&force_refresh=true')).to.have.property('status', 200);
  }
});
