import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { type Connected, connect, throughProxy } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { relayTo } from '../support/database-relay.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { noticesArrived } from '../support/notices.ts';
import { expectError } from '../support/std-error.ts';
import { until } from '../support/until.ts';
import { useEach } from '../support/use.ts';

const MINUTE_MS = 60_000;
/** The time limit for the recovery: five times the promised two seconds. */
const BACK_MS = 10_000;

describe('while the database is away (DBF-03)', function () {
  // This hook comes first, so that the relay is restored before anything is closed.
  afterEach(() => relay.restore());
  const provider = useEach(this, startFakeProvider);
  const database = useEach(this, cloneDatabase);
  const relay = useEach(this, () => relayTo(database));
  const app = useEach(this, () => startApp({ database: relay.database }));
  let connected: Connected;

  beforeEach(async () => {
    connected = await connect(app, provider);
    await callKnown();
  });

  function call() {
    return throughProxy(app, connected, { path: '/me' });
  }

  /** Makes a proxied call once, so that later calls need no query to the database. */
  async function callKnown(): Promise<void> {
    await noticesArrived(app.services);
    expect((await call()).status).to.equal(200);
  }

  function ready() {
    return app.client().get('/ready');
  }

  for (const fault of ['cut', 'freeze'] as const) {
    it(`(${fault}) proxied calls are served for up to five minutes, and /ready says degraded for as long`, async () => {
      relay[fault]();
      await app.clock.advance(MINUTE_MS);
      expect((await call()).status).to.equal(200);
      expectError(await app.api.get('/integrations'), 'storage_unavailable');
      const degraded = await ready();
      expect([degraded.status, degraded.body]).to.deep.equal([200, { result: 'degraded' }]);

      await app.clock.advance(3 * MINUTE_MS);
      expect((await call()).status).to.equal(200);

      await app.clock.advance(2 * MINUTE_MS);
      expectError(await call(), 'storage_unavailable');
      expectError(await ready(), 'storage_unavailable');

      relay.restore();
      await until('calls are served again', async () => (await call()).status === 200, BACK_MS);
      await until('the service is ready', async () => (await ready()).body.result === 'ok', BACK_MS);
    });
  }

  it('a key that was revoked meanwhile is refused once the database is back', async () => {
    relay.cut();
    await app.clock.advance(MINUTE_MS);
    expect((await call()).status).to.equal(200);
    // The key is revoked directly in the database, while the service, whose relay is cut, can receive no notice of it.
    const revoked = await database.db('api_keys').whereNotNull('environment_id').update({ revoked_at: new Date() });
    expect(revoked).to.equal(1);
    expect((await call()).status).to.equal(200);
    relay.restore();
    await until('the key is refused', async () => (await call()).status === 401, BACK_MS);
    expectError(await call(), 'unknown_account');
  });

  it('a token is used until it expires, and not afterwards', async () => {
    provider.settings.accessTokenTtlSeconds = 7;
    connected = { ...connected, ...(await connect(app, provider, 'short')) };
    await callKnown();
    relay.cut();
    await app.clock.advance(MINUTE_MS);
    const statuses: number[] = [];
    await until('it has expired', async () => statuses.push((await call()).status) > 0 && statuses.at(-1) === 503, 20_000);
    const refused = provider.ledger.of('api').filter(({ status }) => status === 401);
    // One call may be in progress when the token expires, and be refused by the provider.
    expect(refused.length).to.be.at.most(1);
    for (const status of statuses.slice(0, -1)) expect(status).to.be.oneOf([200, 401]);
  });
});
