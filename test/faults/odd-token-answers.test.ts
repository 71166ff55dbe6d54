import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { type Connected, connect, connectAgain, createIntegration, readConnection, throughProxy } from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { ODD_ANSWERS, REVOCATIONS } from '../support/odd-token-answers.ts';
import type { Answer } from '../support/scripted-server/behaviour.ts';
import { storedConnection } from '../support/stored-connection.ts';

const EXPIRED_SECONDS = 3601;
/** Of a token that lives an hour: inside the margin in which it is renewed, ten minutes before its end. */
const NEARLY_EXPIRED_SECONDS = 3000;
const OVER_SECONDS = 1200;
const LINE_BREAK_INSIDE = 'abc\r\nX-Injected: 1';

describe('a token answer of a provider that rotates its refresh tokens', () => {
  let installation: Installation;
  let app: TestApp;
  let provider: FakeProvider;
  let connected: Connected;

  before(async () => {
    installation = await Installation.open();
    app = await installation.startApp();
    provider = await startFakeProvider({ rotation: 'strict' });
    connected = await connect(app, provider);
  });
  after(async () => {
    await provider[Symbol.asyncDispose]();
    await installation[Symbol.asyncDispose]();
  });

  for (const [form, behaviour] of ODD_ANSWERS) {
    it(`loses no token: ${form}`, async () => {
      for (const answer of [behaviour, {}]) {
        provider.next('token', answer);
        await installation.advance(EXPIRED_SECONDS);
        const { status, body } = await readConnection(app, connected);
        expect(status).to.equal(200);
        expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
      }
    });
  }

  for (const [form, token] of [
    ['a line break', LINE_BREAK_INSIDE],
    ['a letter outside ASCII', 'abc-ø'],
  ]) {
    it(`is refused where the access token has ${form} inside, and calls go on with the old one`, async () => {
      await using lenient = await startFakeProvider({ rotation: 'none' });
      await createIntegration(app, lenient, { key: `lenient-${form}` });
      const other = await connectAgain(app, `lenient-${form}`);
      const { credentials } = (await readConnection(app, other)).body;
      lenient.next('token', { members: { access_token: token } });
      await installation.advance(NEARLY_EXPIRED_SECONDS);
      expect((await readConnection(app, other)).body.credentials).to.deep.equal(credentials);
      expect(await throughProxy(app, other, { path: '/me' })).to.have.property('status', 200);
      expect(await storedConnection(installation.db, other)).to.include({ state: 'degraded', state_cause: 'malformed_answer' });
    });
  }
});

describe('a refusal of the token endpoint', () => {
  let installation: Installation;
  let app: TestApp;
  let provider: FakeProvider;
  let connected: Connected;

  before(async () => {
    installation = await Installation.open();
    app = await installation.startApp();
    provider = await startFakeProvider({ rotation: 'none' });
    connected = await connect(app, provider);
  });
  after(async () => {
    await provider[Symbol.asyncDispose]();
    await installation[Symbol.asyncDispose]();
  });

  for (const [form, status, body] of REVOCATIONS) {
    it(`means that the user is needed: ${form}`, async () => {
      expect(await refuse({ status, body: JSON.stringify(body) })).to.equal(424);
      await revive();
    });
  }

  for (const [form, status, body] of [
    ['invalid_grant with status 500', 500, { error: 'invalid_grant' }],
    ['bad_refresh_token with status 429', 429, { error: 'bad_refresh_token' }],
    ['invalid_token with status 401, which may be about the client', 401, { error: 'invalid_token' }],
    ['a code that nobody named', 400, { error: 'account_closed' }],
  ] as const) {
    it(`is waited out: ${form}`, async () => {
      expect(await refuse({ status, body: JSON.stringify(body) })).to.equal(503);
      await revive();
    });
  }

  it('means that the user is needed with a code that the integration names, and the log repeats it', async () => {
    const named = { integration_config: { revoked_codes: 'token_revoked, Account_Closed' } };
    expect(await app.api.patch(`/integrations/${connected.key}`, named)).to.have.property('status', 200);
    expect(await refuse({ status: 400, body: '{"error":"account_closed"}' })).to.equal(424);

    const { auth_error_log_id: logId } = await storedConnection(installation.db, connected);
    const { body } = await app.api.get(`/logs/${logId}`);
    const [refusal] = body.data.messages.filter(({ facts }: { facts: object }) => 'providerError' in facts);
    expect(refusal.facts.providerError).to.equal('Account_Closed');
    await revive();
  });

  async function refuse(answer: Answer): Promise<number> {
    provider.next('token', { answer });
    await installation.advance(NEARLY_EXPIRED_SECONDS + OVER_SECONDS);
    return (await readConnection(app, connected)).status;
  }

  async function revive(): Promise<void> {
    expect(await readConnection(app, connected, '&force_refresh=true')).to.have.property('status', 200);
  }
});
