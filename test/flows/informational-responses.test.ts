import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { serve } from '../support/loopback-server.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

describe('a 100 Continue that nobody asked for', function () {
  const asked: string[] = [];
  const server = use(this, () =>
    serve((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => {
        response.writeContinue();
        const tokens = { access_token: canary('access token'), refresh_token: canary('refresh token'), expires_in: 3600 };
        response.setHeader('content-type', 'application/json').end(JSON.stringify(tokens));
      });
    }),
  );
  const app = use(this, () => startApp());
  const connected = { connectionId: 'one', key: 'continuing' };

  before(async () => {
    const credentials = { type: 'OAUTH2', client_id: 'client', client_secret: canary('client secret') };
    const urls = { authorization_url: server.url, token_url: `${server.url}/token`, api_base_url: `${server.url}/api` };
    const integration = { unique_key: connected.key, provider: 'generic-oauth', credentials, integration_config: urls };
    mustBe(200, await app.api.post('/integrations', integration));
    const webhooks = { webhook_url: `${server.url}/hook`, on_new_connection: true };
    await app.database.db('environments').where({ id: app.environmentId }).update(webhooks);
    const tokens = { type: 'OAUTH2', access_token: canary('access token'), refresh_token: canary('refresh token') };
    const body = { provider_config_key: connected.key, connection_id: connected.connectionId, credentials: tokens };
    mustBe(200, await app.api.post('/connections', body));
  });
  beforeEach(() => void asked.splice(0));

  it('spends no refresh token in vain', async () => {
    mustBe(200, await readConnection(app, connected, '&force_refresh=strict'));
    expect(asked).to.deep.equal(['POST /token']);
    expect(await storedConnection(app.database.db, connected)).to.include({ state: 'healthy', generation: 2 });
  });

  it('repeats no proxied call', async () => {
    const call = { method: 'POST', path: '/things', body: Buffer.from('{}'), headers: { retries: '2' } };
    expect((await throughProxy(app, connected, call)).status).to.equal(200);
    expect(asked).to.deep.equal(['POST /api/things']);
  });

  it('sends no webhook twice', async () => {
    app.services.deliverer.start();
    const messages = () => app.database.db('webhook_messages').pluck('status');
    await until('it is delivered', async () => (await messages()).join() === 'delivered');
    expect(asked).to.deep.equal(['POST /hook']);
  });
});
