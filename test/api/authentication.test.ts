import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { rememberSecret } from '../support/canaries.ts';
import { createSession } from '../support/connect.ts';
import type { Client, ClientResponse } from '../support/http-client.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeConnection, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

const LIFETIME_MS = 30 * 60_000;

/** For some scopes, a request that needs exactly that scope. */
const SCOPED: Readonly<Record<string, (api: Client, turn: number) => Promise<ClientResponse>>> = {
  'environment:connections:create': (api) =>
    api.post('/connections', { provider_config_key: 'one', credentials: { type: 'OAUTH2', access_token: 'example' } }),
  'environment:integrations:create': (api, turn) => api.post('/integrations', { unique_key: `new-${turn}`, provider: 'github' }),
  'environment:integrations:update': (api) => api.patch('/integrations/one', { display_name: 'One' }),
  'environment:connect_sessions:write': (api) => api.post('/connect/sessions', { tags: {} }),
};
const RECONNECT = { connection_id: 'stored', integration_id: 'one' };

describe('authentication', function () {
  const app = use(this, startApp);
  let turn = 0;

  before(async () => {
    await storeIntegration(app.api, 'one');
    await storeConnection(app, { key: 'one', connectionId: 'stored' });
  });

  const call = (scope: string, api: Client): Promise<ClientResponse> => {
    turn += 1;
    const make = SCOPED[scope];
    if (make === undefined) throw new Error(`there is no call for ${scope}`);
    return make(api, turn);
  };

  it('of backend endpoints is a bearer token in the Authorization header, and nowhere else', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${app.apiKey}` };
      expect((await app.client().get('/integrations', { headers })).status).to.equal(200);
    }
    for (const headers of [{ 'x-api-key': app.apiKey }, { cookie: `authorization=${app.apiKey}` }]) {
      expectError(await app.client().get('/integrations', { headers }), 'missing_auth_header');
    }
    expectError(await app.client().get('/integrations?api_key=x'), 'missing_auth_header');
  });

  it('is by a key of the environment for its endpoints and by an account key for those of the account', async () => {
    expect((await app.api.get('/connections')).status).to.equal(200);
    expectError(await app.client(app.accountKey).get('/connections'), 'forbidden');
    expect((await app.client(app.accountKey).get('/environments')).status).to.equal(200);
    expectError(await app.api.get('/environments'), 'forbidden');
    expectError(await app.api.post('/environments', { name: 'x' }), 'forbidden');
  });

  for (const scope of Object.keys(SCOPED)) {
    it(`is sufficient with the scope ${scope} for its request, and for no other`, async () => {
      const api = await clientWith(app, scope);
      expect((await call(scope, api)).status).to.be.oneOf([200, 201]);
      for (const other of Object.keys(SCOPED).filter((one) => one !== scope)) expectError(await call(other, api), 'forbidden');
    });

    it(`is not sufficient for a request with every scope but the needed ${scope}`, async () => {
      const api = await clientWith(app, ...Object.keys(SCOPED).filter((one) => one !== scope), 'environment:proxy');
      const response = await call(scope, api);
      expectError(response, 'forbidden');
      expect(response.body.error.message).to.contain(scope);
    });
  }

  it('for a reconnect session needs the scope of sessions, too', async () => {
    const api = await clientWith(app, 'environment:connect_sessions:write');
    expect((await api.post('/connect/sessions/reconnect', RECONNECT)).status).to.equal(201);
    expectError(
      await (await clientWith(app, 'environment:connections:*')).post('/connect/sessions/reconnect', RECONNECT),
      'forbidden',
    );
  });

  it('by the key that an environment is created with opens everything in it', async () => {
    const { body } = await app.client(app.accountKey).post('/environments', { name: 'fresh' });
    const api = app.client(rememberSecret('first key', body.data.api_key));
    await storeIntegration(api, 'one');
    await api.patch('/integrations/one', { display_name: 'One' });
    for (const scope of Object.keys(SCOPED)) expect((await call(scope, api)).status, scope).to.be.oneOf([200, 201]);
  });

  it('of a frontend is a session token, which opens nothing of the backend, and no key', async () => {
    const token = await createSession(app);
    expect((await app.client(token).get('/connect/session')).status).to.equal(200);
    for (const scope of Object.keys(SCOPED)) expectError(await call(scope, app.client(token)), 'unknown_account');
    expectError(await app.api.get('/connect/session'), 'unknown_connect_session_token');
    const asToken = `/oauth/connect/one?connect_session_token=${app.apiKey}`;
    expect((await app.client().get(asToken)).status).to.equal(401);
  });

  it('by a public key is refused, with what to use instead', async () => {
    const response = await app.client().get('/oauth/connect/one?public_key=8f0f4c4e-1b1a-4a55-9a57-2a3e7ad0b111');
    expectError(response, 'deprecated_authentication');
    expect(response.body.error.message).to.contain('connect_session_token');
  });

  it('by a session token ends after thirty minutes', async () => {
    const token = await createSession(app);
    await app.clock.advance(LIFETIME_MS - 5_000, app.database.db);
    expect((await app.client(token).get('/connect/session')).status).to.equal(200);
    await app.clock.advance(10_000, app.database.db);
    expectError(await app.client(token).get('/connect/session'), 'unknown_connect_session_token');
    expect((await app.client().get(`/oauth/connect/one?connect_session_token=${token}`)).status).to.equal(401);
  });
});
