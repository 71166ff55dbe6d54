import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { refusal } from '../support/axios-request.ts';
import { type Connected, connect } from '../support/connect.ts';
import { ExistingClient } from '../support/existing-client.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { CONFIG } from '../support/integration-bodies.ts';
import { storeKey } from '../support/stored.ts';
import { use } from '../support/use.ts';

describe('a backend’s client of another product reads why it was refused', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, () => startApp({ env: { SVC_CLIENT_PREFIX: 'Acme' } }));
  let client: ExistingClient;
  let connected: Connected;

  before(async () => {
    client = clientWith(app.apiKey);
    connected = await connect(app, provider);
  });

  const clientWith = (apiKey: string) => new ExistingClient({ host: app.url, apiKey, prefix: 'Acme' });

  const call = (act: (input: ExistingClient) => Promise<unknown>) => () => act(client);
  const REFUSED: Readonly<Record<string, readonly [act: () => Promise<unknown>, status: number, code: string]>> = {
    'a provider that is none': [call((one) => one.getProvider({ provider: 'nobody' })), 404, 'not_found'],
    'a connection that is none': [call((one) => one.getConnection('fake', 'nobody')), 404, 'unknown_connection'],
    'an integration that is none': [call((one) => one.getConnection('nobody', 'x')), 404, 'unknown_provider_config'],
    'metadata of nobody': [call((one) => one.setMetadata('fake', ['nobody'], {})), 404, 'unknown_connection'],
    'a session for an integration that is none': [
      call((one) => one.createConnectSession({ tags: {}, allowed_integrations: ['nobody'] })),
      404,
      'unknown_provider_config',
    ],
    'tags that are none': [call((one) => one.createConnectSession({ tags: { '1st': 'x' } })), 400, 'invalid_body'],
    'a filter that is none': [call((one) => one.listConnections({ tags: { '1st': 'x' } })), 400, 'invalid_query_params'],
    'a key that is taken': [
      call((one) => one.createIntegration({ provider: 'generic-oauth', unique_key: 'fake', integration_config: CONFIG })),
      409,
      'conflict',
    ],
    'a key of the API that is none': [() => clientWith('nobody').listIntegrations(), 401, 'unknown_account'],
    'a key of the API without the scope': [
      async () => clientWith((await storeKey(app, ['environment:proxy'])).secret).listIntegrations(),
      403,
      'forbidden',
    ],
    'a call through the proxy for a connection that is none': [
      call((one) => one.proxy({ endpoint: '/me', providerConfigKey: 'fake', connectionId: 'nobody' })),
      404,
      'unknown_connection',
    ],
  };
  for (const [what, [act, status, code]] of Object.entries(REFUSED)) {
    it(`with ${what}`, async () => {
      const response = await refusal(act());
      expect(response.data.error, JSON.stringify(response.data)).to.include({ code });
      expect(response.data.error.message).to.be.a('string').and.not.to.equal('');
      expect(response.status).to.equal(status);
    });
  }

  it('with a user who has to authorize again', async () => {
    const { connectionId, key } = connected;
    const json = { 'content-type': 'application/json' };
    provider.next('token', { response: { status: 400, headers: json, body: '{"error":"invalid_grant"}' } });
    const { status, data } = await refusal(client.getConnection(key, connectionId, { forceRefresh: true }));
    expect([status, data.error.code]).to.deep.equal([424, 'invalid_credentials']);
    const { connections } = await client.listConnections({ connectionId });
    expect(connections[0].errors).to.have.length(1);
    expect(connections[0].errors[0]).to.have.all.keys('type', 'log_id');
  });
});
