import { expect } from 'chai';
import { startApp, type TestApp } from '../support/app.ts';
import { sweep } from '../support/canaries.ts';
import { type Connected, connectAgain, createIntegration, mustBe, readConnection, reconnect } from '../support/connect.ts';
import { refreshDue } from '../support/due-work.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { serve } from '../support/loopback-server.ts';
import { importableOf, integrate, makeModeProviders, providerOfMode } from '../support/mode-providers.ts';
import type { Behaviour, EchoPlace } from '../support/scripted-server/behaviour.ts';
import { enableWebhooks, type StoredWebhook, storedWebhooks } from '../support/stored-webhooks.ts';
import { use } from '../support/use.ts';

const DAY = 24 * 3_600_000;
const EXPIRED_SECONDS = 3_601;
const READS = 20;
const REFUSED: Behaviour = {
  response: { status: 400, headers: { 'content-type': 'application/json' }, body: '{"error":"invalid_grant"}' },
};
const ECHO_PLACES: readonly EchoPlace[] = ['error_body', 'header', 'redirect', 'www_authenticate', 'cookie', 'html_title'];
const FORCED = '&force_refresh=true';
const DESCRIPTION = /^The provider refuses these credentials; the user must authorize again\. \(log [0-9a-f-]{36}\)$/;

describe('the auth webhook of an outage', function () {
  this.timeout(30_000);
  const provider = use(this, () => startFakeProvider({ rotation: 'none' }));
  const installation = use(this, () => Installation.open());
  let instances: readonly [TestApp, TestApp];
  let app: TestApp;
  let connected: Connected;

  before(async () => {
    instances = [await installation.startApp(), await installation.startApp()];
    [app] = instances;
    await createIntegration(app, provider);
  });
  beforeEach(async () => {
    provider.always('token', {});
    connected = await connectAgain(app);
    await enableWebhooks(installation.db);
    await installation.db('webhook_messages').delete();
  });

  const webhooks = (): Promise<StoredWebhook[]> => storedWebhooks(app.services);
  const outcomes = async () => (await webhooks()).map(({ body }) => [body.operation, body.success]);

  /** Sends many reads of the connection to both instances at the same time. @returns the distinct statuses */
  async function everybodyReads(query = ''): Promise<number[]> {
    const reads = instances.flatMap((instance) =>
      Array.from({ length: READS / 2 }, () => readConnection(instance, connected, query)),
    );
    return [...new Set((await Promise.all(reads)).map(({ status }) => status))];
  }

  async function breakDown(): Promise<void> {
    provider.always('token', REFUSED);
    await installation.advance(EXPIRED_SECONDS);
    expect(await everybodyReads()).to.deep.equal([424]);
  }

  /** Forces refreshes by many requests at the same time, on one instance and then on the other. */
  async function recover(): Promise<void> {
    provider.always('token', {});
    for (const instance of instances) {
      const reads = Array.from({ length: READS / 2 }, () => readConnection(instance, connected, FORCED));
      expect(new Set((await Promise.all(reads)).map(({ status }) => status))).to.deep.equal(new Set([200]));
    }
  }

  it('reports the beginning once, however many requests on whichever instance meet it', async () => {
    await breakDown();
    for (let time = 0; time < 2; time += 1) expect(await everybodyReads(FORCED)).to.deep.equal([424]);
    const [{ body } = expect.fail(), ...others] = await webhooks();
    expect(others).to.deep.equal([]);
    expect(body.error.type).to.equal('invalid_credentials');
    expect(body.error.description).to.match(DESCRIPTION);
    expect({ ...body, error: {} }).to.deep.equal({
      from: 'svc',
      type: 'auth',
      operation: 'refresh',
      success: false,
      connectionId: connected.connectionId,
      providerConfigKey: connected.key,
      provider: 'generic-oauth',
      authMode: 'OAUTH2',
      provider_account: null,
      environment: 'dev',
      tags: {},
      error: {},
    });
  });

  it('reports the end once, and the next outage is reported anew', async () => {
    await breakDown();
    await recover();
    await breakDown();
    expect(await outcomes()).to.deep.equal([
      ['refresh', false],
      ['refresh', true],
      ['refresh', false],
    ]);
    const [, recovery] = await webhooks();
    expect(recovery?.body).to.not.have.property('error');
  });

  it('does not report the end when a new authorization ends it, which has its own override webhook', async () => {
    await breakDown();
    provider.always('token', {});
    await reconnect(app, connected);
    await recover();
    expect(await outcomes()).to.deep.equal([
      ['refresh', false],
      ['override', true],
    ]);
  });

  it('is not sent for a passing failure of the provider', async () => {
    provider.always('token', { response: { status: 503 } });
    await installation.advance(EXPIRED_SECONDS);
    expect(await everybodyReads()).to.deep.equal([503]);
    await recover();
    expect(await webhooks()).to.deep.equal([]);
  });

  it('says after a day that the provider refuses the integration’s client', async () => {
    provider.always('token', { response: { ...REFUSED.response, status: 401, body: '{"error":"invalid_client"}' } });
    await installation.advance(EXPIRED_SECONDS);
    expect(await everybodyReads()).to.deep.equal([503]);
    await installation.advance(DAY / 1000 + 3_600);
    expect(await everybodyReads()).to.deep.equal([503]);
    const [{ body } = expect.fail(), ...others] = await webhooks();
    expect(others).to.deep.equal([]);
    expect(body.error.type).to.equal('provider_unavailable');
    expect(body.error.description).to.match(/The provider refuses the integration’s client: check its ID and secret\.$/);
    for (const { services } of instances) await services.activity.flush();
    const address = `/connections/${connected.connectionId}/health?provider_config_key=${connected.key}`;
    const { body: health } = await app.api.get(address);
    expect(health.data).to.include({ state: 'degraded', cause: 'client_refused' });
    const { body: log } = await app.api.get(`/logs/${health.data.log_id}`);
    expect(log.data.summary).to.match(/invalid_client: it refuses the integration’s client; check its ID and secret$/);
  });

  it('is sent only where on_refresh is on', async () => {
    await enableWebhooks(installation.db, { on_refresh: false });
    await breakDown();
    await recover();
    expect(await webhooks()).to.deep.equal([]);
  });

  it('carries the current tags of the connection and goes to its current webhook URL', async () => {
    const change = { tags: { team: 'new' }, webhook_url_override: 'https://override.example/hook' };
    const address = `/connections/${connected.connectionId}?provider_config_key=${connected.key}`;
    mustBe(200, await app.api.patch(address, change));
    await breakDown();
    const [{ target, body } = expect.fail()] = await webhooks();
    expect([target, body.tags]).to.deep.equal([change.webhook_url_override, change.tags]);
  });

  for (const place of ECHO_PLACES) {
    it(`LEAK-02: repeats nothing that the provider repeats (${place})`, async () => {
      provider.always('token', { echo: { place, error: 'invalid_grant' } });
      await installation.advance(EXPIRED_SECONDS);
      const [status, ...others] = await everybodyReads();
      expect(others).to.deep.equal([]);
      const all = await webhooks();
      // A redirect or an HTML page from the token endpoint is no refusal, so readers get 503 and the application no webhook. All
      // other responses are refusals.
      expect([status, all.length]).to.deep.equal(place === 'redirect' || place === 'html_title' ? [503, 0] : [424, 1]);
      expect(sweep({ told: JSON.stringify(all) })).to.deep.equal([]);
    });
  }
});

describe('the auth webhook of credentials that only a call can prove', function () {
  let status = 200;
  const upstream = use(this, () => serve(async (_request, response) => void response.writeHead(status).end()));
  const providers = use(this, makeModeProviders);
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: providers.path } }));

  before(async () => {
    await enableWebhooks(app.database.db);
    const config = { integration_config: { api_base_url: upstream.url } };
    await integrate(app, `${providerOfMode('API_KEY')}-verified`, config);
  });

  it('reports once that the provider refuses them, and an override reports that they are valid again', async () => {
    const provider_config_key = `${providerOfMode('API_KEY')}-verified`;
    const input = { provider_config_key, credentials: importableOf('API_KEY'), connection_config: { accountId: '1' } };
    const imported = await app.api.post('/connections', input);
    mustBe(200, imported);
    status = 403;
    for (let day = 0; day < 3; day += 1) {
      await app.clock.advance(DAY, app.database.db);
      // Two sweeps run at the same time, as on two instances.
      await Promise.all([refreshDue(app.services), refreshDue(app.services)]);
    }
    status = 200;
    mustBe(200, await app.api.post('/connections', { ...input, connection_id: imported.body.connection_id }));
    const all = await storedWebhooks(app.services);
    expect(all.map(({ body }) => [body.operation, body.success])).to.deep.equal([
      ['creation', true],
      ['refresh', false],
      ['override', true],
    ]);
    expect(all[1]?.body).to.deep.include({ connectionId: imported.body.connection_id, authMode: 'API_KEY' });
    expect(all[1]?.body.error.type).to.equal('invalid_credentials');
  });
});
