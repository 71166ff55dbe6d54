import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { enter } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import { type Connected, connect, connectAgain, createSession, readConnection, throughProxy } from '../support/connect.ts';
import { cloneDatabase } from '../support/database.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { readParams } from '../support/fake-provider/read-params.ts';
import { newServiceEnv } from '../support/service-env.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

/**
 * The limit for a change to take effect on both instances: above the promised two seconds, because other tests run beside this
 * one, but below the lifetime of cache entries.
 */
const WITHIN_MS = 8_000;

describe('a change of an integration, on two instances', function () {
  const provider = use(this, startFakeProvider);
  const database = use(this, cloneDatabase);
  const env = newServiceEnv();
  const one = use(this, () => startApp({ env, database }));
  const two = use(this, () => startApp({ env, database }));
  let connected: Connected;

  before(() => connect(one, provider));

  beforeEach(async () => {
    connected = await connectAgain(one);
    // After these calls both instances have the integration in their caches.
    for (const app of [one, two]) expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
  });

  async function within(holds: (app: TestApp) => Promise<boolean>): Promise<void> {
    for (const app of [one, two]) await until('it is seen', () => holds(app), WITHIN_MS);
  }

  const patch = async (key: string, body: object) => {
    const response = await one.api.patch(`/integrations/${key}`, body);
    expect(response.status, response.text).to.equal(200);
  };

  it('is seen by the proxy: another API address', async () => {
    await using other = await startFakeProvider();
    await patch('fake', { integration_config: { api_base_url: `${other.url}/elsewhere` } });
    await within(async (app) => {
      const before = other.ledger.of('api').length;
      await throughProxy(app, connected, { path: '/me' });
      return other.ledger.of('api').length > before;
    });
    expect(other.ledger.of('api').at(-1)?.target).to.equal('/elsewhere/me');
    await patch('fake', { integration_config: { api_base_url: `${provider.url}/api` } });
    await within(async (app) => (await throughProxy(app, connected, { path: '/me' })).status === 200);
  });

  it('is seen by the proxy: another key', async () => {
    await patch('fake', { unique_key: 'renamed' });
    await within(async (app) => (await throughProxy(app, connected, { path: '/me' })).status === 404);
    for (const app of [one, two])
      expect((await throughProxy(app, { ...connected, key: 'renamed' }, { path: '/me' })).status).to.equal(200);
    await patch('renamed', { unique_key: 'fake' });
    await within(async (app) => (await throughProxy(app, connected, { path: '/me' })).status === 200);
  });

  it('is seen by new authorizations: another app', async () => {
    const changed = { client_id: 'another-client', client_secret: canary('another secret') };
    await patch('fake', { credentials: changed });
    // Existing tokens stay with the client to which they were issued.
    await readConnection(two, connected, '&force_refresh=true');
    const call = provider.ledger.of('token').at(-1) ?? expect.fail('nobody asked');
    expect(readParams(call)).to.include({ client_id: provider.clientId });
    const page = await enter(two, { key: 'fake', token: await createSession(two) });
    expect(new URL(page.headers.get('location') ?? '').searchParams.get('client_id')).to.equal('another-client');
    await patch('fake', { credentials: { client_id: provider.clientId, client_secret: provider.clientSecret } });
  });

  it('is seen by the proxy: its deletion', async () => {
    expect((await one.api.delete('/integrations/fake')).status).to.equal(200);
    await within(async (app) => (await throughProxy(app, connected, { path: '/me' })).status === 404);
  });
});
