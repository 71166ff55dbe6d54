import { expect } from 'chai';
import type { TestApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import { createSession, mustBe, throughProxy } from '../support/connect.ts';
import { ConnectProxy } from '../support/connect-proxy.ts';
import { Deliveries } from '../support/deliveries.ts';
import { serve } from '../support/loopback-server.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

describe('a network whose one way out is a proxy', function () {
  const password = canary('password of the outbound proxy');
  const proxy = use(this, () => ConnectProxy.start());
  const token = canary('token behind a proxy');
  const startApi = () =>
    serve((request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url === '/token' ? { access_token: token, token_type: 'Bearer' } : {}));
    });
  const [api, bypassed] = [use(this, startApi), use(this, startApi)];
  const deliveries = use(this, () =>
    Deliveries.open({
      env: {
        SVC_OUTBOUND_PROXY: `http://svc:${encodeURIComponent(password)}@127.0.0.1:${proxy.port}`,
        SVC_OUTBOUND_PROXY_BYPASS: new URL(bypassed.url).host,
      },
    }),
  );
  let app: TestApp;
  before(() => {
    app = deliveries.app;
  });
  beforeEach(() => {
    proxy.asked.length = 0;
    proxy.answer = undefined;
  });

  const authorities = () => new Set(proxy.asked.map(({ authority }) => authority));

  async function connect(key: string, server: string) {
    const integration_config = { token_url: `${server}/token`, api_base_url: `${server}/v1` };
    const provider = 'generic-client-credentials';
    mustBe(200, await app.api.post('/integrations', { unique_key: key, provider, integration_config }));
    const session = await createSession(app, { allowed_integrations: [key] });
    const body = { client_id: 'client', client_secret: canary('client secret behind a proxy') };
    const response = await app.client().post(`/oauth2/auth/${key}?connect_session_token=${session}`, body);
    mustBe(200, response);
    return { connectionId: String(response.body.connectionId), key };
  }

  it('sends token requests and calls of the API through it, with its user', async () => {
    const connected = await connect('behind', api.url);
    expect((await throughProxy(app, connected, { path: '/things' })).status).to.equal(200);
    expect([...authorities()]).to.deep.equal([new URL(api.url).host]);
    const authorization = `Basic ${Buffer.from(`svc:${password}`).toString('base64')}`;
    expect(proxy.asked.every((one) => one.authorization === authorization)).to.equal(true);
  });

  it('sends webhooks through it', async () => {
    await deliveries.deliver();
    await app.api.post('/webhook-messages/test', { type: 'auth' });
    await deliveries.untilStatus('delivered', 1);
    expect([...authorities()]).to.deep.equal([new URL(deliveries.application.url).host]);
  });

  it('calls bypassed hosts without it', async () => {
    const connected = await connect('beside', bypassed.url);
    expect((await throughProxy(app, connected, { path: '/things' })).status).to.equal(200);
    expect(proxy.asked).to.deep.equal([]);
  });

  it('tells callers that the provider cannot be reached when the proxy refuses, and logs the reason', async () => {
    const connected = await connect('refused', api.url);
    proxy.answer = 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n';
    for (const socket of proxy.open) socket.destroy();
    expectError(await throughProxy(app, connected, { path: '/things' }), 'provider_unreachable');
    expect(app.logLines.join('\n')).to.contain('the outbound proxy refused a tunnel with 407');
  });
});
