import { expect } from 'chai';
import { REFUSAL } from '../core/credentials/refusals.ts';
import type { TestApp } from '../support/app.ts';
import { finish, returnFromProvider } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import { presentedOnce } from '../support/checker.ts';
import {
  authorize,
  type Connected,
  connectAgain,
  createIntegration,
  createReconnectSession,
  mustBe,
  readConnection,
  reconnect,
} from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { size } from '../support/size.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { enableWebhooks, storedWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';

const ROUNDS = size(3, 10);
/**
 * How often the test reads the connection: many times more than it takes to see that it was marked for reauthorization too early.
 */
const LOOKS = 50;

describe('a connection that gets new credentials while it is refreshed', function () {
  this.timeout(60_000);
  const installation = use(this, () => Installation.open());
  const provider = use(this, () => startFakeProvider({ rotation: 'strict' }));
  let app: TestApp;
  let other: TestApp;
  let connected: Connected;

  before(async () => {
    [app, other] = [await installation.startApp(), await installation.startApp()];
    await createIntegration(app, provider);
    await enableWebhooks(installation.db);
  });
  beforeEach(async () => {
    connected = await connectAgain(app);
  });
  it(`keeps the refreshed tokens when the same credentials are imported again, ${ROUNDS} times of ${ROUNDS}`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { credentials } = (await readConnection(app, connected, '&refresh_token=true')).body;
      const calls = provider.ledger.of('token').length;
      const held = new Barrier();
      provider.next('token', { responseBarrier: held });
      const asked = readConnection(app, connected, '&force_refresh=true');
      await provider.ledger.arrived('token', calls + 1);

      await importAgain({ access_token: credentials.access_token, refresh_token: credentials.refresh_token });
      const input = readConnection(other, connected, '&force_refresh=true');
      for (let look = 0; look < LOOKS; look += 1) await expectHealthy();
      expect(provider.ledger.of('token'), 'no second request sends the refresh token').to.have.lengthOf(calls + 1);
      held.open();
      for (const { status, body } of await Promise.all([asked, input])) {
        expect(status).to.equal(200);
        expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
      }
      await expectHealthy();
    }
    expect(presentedOnce(provider.ledger.of('token'))).to.deep.equal([]);
  });

  it('drops the result of a refresh when other credentials were imported meanwhile', async () => {
    const calls = provider.ledger.of('token').length;
    const held = new Barrier();
    provider.next('token', { responseBarrier: held });
    const asked = readConnection(app, connected, '&force_refresh=true');
    await provider.ledger.arrived('token', calls + 1);
    const imported = { access_token: canary('imported access token'), refresh_token: canary('imported refresh token') };
    await importAgain(imported);
    held.open();
    expect((await asked).body.credentials.access_token).to.equal(imported.access_token);
  });

  it(`is not marked as refused while its user authorizes it again, ${ROUNDS} times of ${ROUNDS}`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = await webhooks();
      const { body } = await readConnection(app, connected);
      const family = provider.grants.describe(body.credentials.access_token)?.family ?? expect.fail('an unknown token');
      const calls = provider.ledger.of('token').length;
      const held = new Barrier();
      provider.next('token', { responseBarrier: held });
      const page = reconnect(app, connected);
      await provider.ledger.arrived('token', calls + 1);
      // Providers that allow one grant for each account revoke the earlier grant like this.
      provider.grants.revoke(family);
      const asked = readConnection(other, connected, '&force_refresh=true');
      await provider.ledger.arrived('token', calls + 2);
      await provider.ledger.of('token').at(-1)?.ended;
      expect(provider.ledger.of('token').at(-1)?.status, 'the refresh was refused').to.equal(400);
      for (let look = 0; look < LOOKS; look += 1) await expectHealthy();
      held.open();
      mustBe(200, await page);
      const { status, body: renewed } = await asked;
      expect(status).to.equal(200);
      expect(provider.grants.isLive(renewed.credentials.access_token)).to.equal(true);
      expect((await webhooks()).slice(before.length)).to.deep.equal([['override', true]]);
      await expectHealthy();
    }
  });

  it('is marked as refused at once when that authorization fails', async () => {
    const before = await webhooks();
    const { body } = await readConnection(app, connected);
    const family = provider.grants.describe(body.credentials.access_token)?.family ?? expect.fail('an unknown token');
    const calls = provider.ledger.of('token').length;
    const held = new Barrier();
    provider.next('token', { ...REFUSAL, responseBarrier: held });
    const page = authorize(app, { key: connected.key, token: await createReconnectSession(app, connected) });
    await provider.ledger.arrived('token', calls + 1);
    provider.grants.revoke(family);
    const asked = readConnection(other, connected, '&force_refresh=true');
    await provider.ledger.arrived('token', calls + 2);
    await provider.ledger.of('token').at(-1)?.ended;
    for (let look = 0; look < LOOKS; look += 1) await expectHealthy();
    held.open();
    mustBe(400, await page);
    await expectUserNeeded(asked);
    expect((await webhooks()).slice(before.length)).to.have.deep.members([
      ['override', false],
      ['refresh', false],
    ]);
  });

  it('is marked as refused at once when its user denied access', async () => {
    const { body } = await readConnection(app, connected);
    const family = provider.grants.describe(body.credentials.access_token)?.family ?? expect.fail('an unknown token');
    mustBe(
      400,
      await finish(await returnFromProvider(app, { token: await createReconnectSession(app, connected) }), {
        error: 'access_denied',
      }),
    );
    provider.grants.revoke(family);
    await expectUserNeeded(readConnection(other, connected, '&force_refresh=true'));
  });

  /**
   * Asserts that the caller learns that the user must authorize again. After 20 seconds of waiting, it would get another error.
   */
  async function expectUserNeeded(asked: ReturnType<typeof readConnection>): Promise<void> {
    const { status, body } = await asked;
    expect([status, body.error?.code]).to.deep.equal([424, 'invalid_credentials']);
    expect(await storedConnection(installation.db, connected)).to.include({ state: 'needs_reauth', state_cause: 'refused' });
  }

  async function importAgain(tokens: object): Promise<void> {
    const credentials = { type: 'OAUTH2', ...tokens };
    const body = { provider_config_key: connected.key, connection_id: connected.connectionId, credentials };
    mustBe(200, await other.api.post('/connections', body));
  }

  async function expectHealthy(): Promise<void> {
    expect(await storedConnection(installation.db, connected)).to.include({ state: 'healthy', auth_error_log_id: null });
  }

  async function webhooks() {
    const messages = (await storedWebhooks(app.services)).filter(({ connectionId }) => connectionId === connected.connectionId);
    return messages.map(({ body }) => [body.operation, body.success]);
  }
});
