import { expect } from 'chai';
import { finish, logOf, returnFromProvider } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import {
  type Connected,
  createIntegration,
  createReconnectSession,
  createSession,
  mustBe,
  readConnection,
} from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

const KEY = 'fake';

describe('an app that a session sets for its connection', function () {
  const provider = use(this, startFakeProvider);
  const app = use(this, startTenant);
  let connected: Connected;

  before(async () => {
    // The provider knows only the app that the session sets, and would refuse this integration's app.
    await createIntegration(app, {
      ...addressOf(),
      clientId: 'integration-app',
      clientSecret: canary('secret of the other app'),
    });
    const token = await createSession(app, preset(ownApp()));
    mustBe(200, await finish(await returnFromProvider(app, { key: KEY, token })));
    const { body } = await app.api.get('/connections?limit=1');
    connected = { connectionId: body.connections[0].connection_id, key: KEY };
  });

  function addressOf() {
    const { url, authorizationUrl, tokenUrl } = provider;
    return { url, authorizationUrl, tokenUrl };
  }

  function ownApp() {
    return { oauth_client_id_override: provider.clientId, oauth_client_secret_override: provider.clientSecret };
  }

  it('authorizes it', () => {
    expect(provider.ledger.of('authorize').at(-1)?.params).to.include({ client_id: provider.clientId });
    expect(provider.ledger.of('token').at(-1)?.params).to.include({
      client_id: provider.clientId,
      client_secret: provider.clientSecret,
    });
  });

  it('refreshes it, and stays in use after refreshes', async () => {
    for (let round = 0; round < 2; round += 1) {
      const response = await readConnection(app, connected, '&force_refresh=strict');
      expect(response.status, response.text).to.equal(200);
      expect(response.body.credentials.config_override).to.deep.equal({
        client_id: provider.clientId,
        client_secret: provider.clientSecret,
      });
    }
  });

  it('is no part of its configuration, and not shown to the browser', async () => {
    expect((await readConnection(app, connected)).body.connection_config).to.deep.equal({});
    const token = await createSession(app, preset(ownApp()));
    const { text } = await app.client(token).get('/connect/session');
    expect(text).to.not.include(provider.clientId).and.not.include('oauth_client');
  });

  it('may have only an ID or only a secret, where the other is the integration’s', async () => {
    const token = await createSession(app, preset({ oauth_client_id_override: provider.clientId }));
    const page = await finish(await returnFromProvider(app, { key: KEY, token }));
    expect(page.status).to.equal(400);
    expect((await logOf(app, page)).text).to.include('401');
    expect(provider.ledger.of('token').at(-1)?.params['client_id']).to.equal(provider.clientId);
    expect(provider.ledger.of('token').at(-1)?.params['client_secret']).to.not.equal(provider.clientSecret);
  });

  it('is set by a reconnect session as well', async () => {
    const token = await createReconnectSession(app, connected, preset(ownApp()));
    mustBe(200, await finish(await returnFromProvider(app, { key: KEY, token })));
    expect((await readConnection(app, connected, '&force_refresh=strict')).status).to.equal(200);
  });

  it('is refused for connections that have no app', async () => {
    const address = { integration_config: { api_base_url: 'https://api.example' } };
    mustBe(200, await app.api.post('/integrations', { unique_key: 'open', provider: 'unauthenticated', ...address }));
    const token = await createSession(app, preset(ownApp(), 'open'));
    const response = await app.client().post(`/auth/unauthenticated/open?connect_session_token=${token}`);
    expect([response.status, response.body.error.code]).to.deep.equal([400, 'invalid_auth_mode']);
  });

  function preset(connection_config: object, key = KEY) {
    return { integrations_config_defaults: { [key]: { connection_config } } };
  }
});
