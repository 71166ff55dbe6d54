import { expect } from 'chai';
import type { ConnectionRow } from '../../core/connections/connection-row.ts';
import { startApp } from '../support/app.ts';
import { connectionsOf, enter, finish, type Returning, returnFromProvider, wordsOf } from '../support/authorization.ts';
import {
  type Connected,
  connect,
  createIntegration,
  createReconnectSession,
  createSession,
  readConnection,
  throughProxy,
} from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { use } from '../support/use.ts';

const KEY = 'shops';
/** A provider whose connections keep one field of the form, one of the callback and one of the token response. */
const SHOPS = {
  display_name: 'Shops',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.server}/authorize',
  token_url: '${integrationConfig.server}/token',
  redirect_uri_metadata: ['shop'],
  token_response_metadata: ['plan'],
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  connection_config: { region: { type: 'string', title: 'Region', enum: ['eu', 'us'] } },
  proxy: { base_url: '${integrationConfig.server}/api' },
};

describe('a connection that is authorized again', function () {
  const provider = use(this, startFakeProvider);
  const folders = use(this, () => makeFolders({ 'shops/provider.json': JSON.stringify(SHOPS) }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));
  let connected: Connected;

  before(async () => {
    const response = await app.api.post('/integrations', {
      unique_key: KEY,
      provider: 'shops',
      credentials: { type: 'OAUTH2', client_id: provider.clientId, client_secret: provider.clientSecret },
      integration_config: { server: provider.url },
    });
    expect(response.status, response.text).to.equal(200);
  });

  beforeEach(async () => {
    const token = await createSession(app, { tags: { team: 'a' } });
    provider.next('authorize', { members: { shop: 'first' } });
    provider.next('token', { members: { plan: 'free' } });
    const page = await finish(await returnFromProvider(app, { token, key: KEY, params: { region: 'eu' } }));
    expect(page.status, page.text).to.equal(200);
    const [newest] = await connectionsOf(app);
    connected = { connectionId: newest?.connection_id ?? '', key: KEY };
    await app.database
      .db<ConnectionRow>('connections')
      .where({ connection_id: connected.connectionId })
      .update({ metadata: { plan: 1 } });
  });

  async function record() {
    return (await readConnection(app, connected)).body;
  }

  async function row(): Promise<ConnectionRow | undefined> {
    return app.database.db<ConnectionRow>('connections').where({ connection_id: connected.connectionId }).first();
  }

  async function again(params: Record<string, string> = {}): Promise<Returning> {
    return returnFromProvider(app, { token: await createReconnectSession(app, connected), key: KEY, params });
  }

  it('keeps its ID, tags and metadata, and gets new credentials of the next generation', async () => {
    const [old, oldRow, count] = [await record(), await row(), (await connectionsOf(app)).length];
    expect((await finish(await again())).status).to.equal(200);
    const now = await record();
    expect(now).to.deep.include({ id: old.id, connection_id: old.connection_id, tags: { team: 'a' }, metadata: { plan: 1 } });
    expect(now.created_at).to.equal(old.created_at);
    expect(now.credentials.access_token).not.to.equal(old.credentials.access_token);
    expect((await row())?.generation).to.equal((oldRow?.generation ?? 0) + 1);
    expect(await connectionsOf(app)).to.have.length(count);
    expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
  });

  it('keeps its configuration, except for values that the authorization finds anew', async () => {
    expect((await record()).connection_config).to.deep.equal({ region: 'eu', shop: 'first', plan: 'free' });
    provider.next('authorize', { members: { shop: 'second' } });
    expect((await finish(await again())).status).to.equal(200);
    expect((await record()).connection_config).to.deep.equal({ region: 'eu', shop: 'second', plan: 'free' });
    expect((await finish(await again({ region: 'us' }))).status).to.equal(200);
    expect((await record()).connection_config).to.deep.equal({ region: 'us', shop: 'second', plan: 'free' });
  });

  it('is shown to the browser as a reconnect, for its own integration only', async () => {
    const { body } = await app.client(await createReconnectSession(app, connected)).get('/connect/session');
    expect(body.data).to.deep.include({ isReconnecting: true, allowed_integrations: [KEY] });
  });

  it('works again after the provider had revoked it', async () => {
    const grant = provider.grants.describe((await record()).credentials.access_token);
    provider.grants.revoke(grant?.family ?? expect.fail('no grant'));
    const refused = await readConnection(app, connected, '&force_refresh=true');
    expect(refused.status).to.equal(424);
    expect((await connectionsOf(app))[0])
      .to.have.property('errors')
      .with.length(1);
    expect((await finish(await again())).status).to.equal(200);
    expect((await record()).errors).to.deep.equal([]);
    expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
  });

  it('keeps working with the old credentials when the new authorization fails', async () => {
    const [old, oldRow] = [await record(), await row()];
    const back = await again({ region: 'us' });
    provider.next('token', { response: { status: 500 } });
    const page = await finish(back);
    expect(page.status).to.equal(400);
    const { last_fetched_at: _, ...now } = await record();
    expect(old).to.deep.include(now);
    expect((await row())?.generation).to.equal(oldRow?.generation);
    expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
  });

  it('keeps working with the old credentials when the user says no', async () => {
    const old = await record();
    const page = await finish(await again(), { error: 'access_denied', code: undefined });
    expect(wordsOf(page)).to.match(/^Not connected again You didn’t allow access in Shops/);
    expect((await record()).credentials).to.deep.equal(old.credentials);
  });

  it('stays deleted when it was deleted while the user was away', async () => {
    const token = await createReconnectSession(app, connected);
    const back = await returnFromProvider(app, { token, key: KEY });
    const count = (await connectionsOf(app)).length;
    await app.api.delete(`/connections/${connected.connectionId}?provider_config_key=${KEY}`);
    const page = await finish(back);
    expect(page.status).to.equal(400);
    expect(await connectionsOf(app)).to.have.length(count - 1);
    expect((await enter(app, { token, key: KEY })).status).to.equal(401);
  });

  it('stays deleted when it was deleted during the exchange', async () => {
    const back = await again();
    const barrier = provider.barrier('token');
    const page = finish(back);
    await barrier.arrived();
    await app.api.delete(`/connections/${connected.connectionId}?provider_config_key=${KEY}`);
    barrier.open();
    expect((await page).status).to.equal(400);
    provider.always('token', {});
    expect((await readConnection(app, connected)).status).to.equal(404);
    expect(await row()).to.equal(undefined);
  });

  it('is not authorized by another integration that has taken the key of its integration', async () => {
    const connected = await connect(app, provider, 'taken');
    const token = await createReconnectSession(app, connected);
    expect((await app.api.patch('/integrations/taken', { unique_key: 'renamed' })).status).to.equal(200);
    await createIntegration(app, provider, { key: 'taken' });
    const page = await enter(app, { token, key: 'taken' });
    expect([page.status, page.headers.get('svc-error')]).to.deep.equal([404, 'unknown_connection']);
  });

  it('is refused for an unknown connection', async () => {
    const unknown = await app.api.post('/connect/sessions/reconnect', { connection_id: 'nobody', integration_id: KEY });
    expect([unknown.status, unknown.body.error.code]).to.deep.equal([404, 'unknown_connection']);
  });
});
