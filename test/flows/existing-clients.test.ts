import { expect } from 'chai';
import { setVariable } from '../../core/tenants/environments/variables.ts';
import { startApp } from '../support/app.ts';
import { refusal } from '../support/axios-request.ts';
import { canary, rememberSecret } from '../support/canaries.ts';
import { authorize, type Connected, connect, createIntegration } from '../support/connect.ts';
import { ExistingClient } from '../support/existing-client.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { IMPORTED_MODES, importableOf, integrate, makeModeProviders, providerOfMode } from '../support/mode-providers.ts';
import { storeConnection, storeIntegration } from '../support/stored.ts';
import { use } from '../support/use.ts';

const PREFIX = 'Acme';
const KEY = 'My key~:.@ -_';
const SHARED_APP = { client_id: 'shared-app', client_secret: canary('shared app’s secret'), scopes: ['read'] };

describe('a backend’s client of another product', function () {
  const provider = use(this, startFakeProvider);
  const modes = use(this, makeModeProviders);
  const apps = use(this, () => makeFolders({ 'apps.json': JSON.stringify({ 'mode-oauth2': SHARED_APP }) }));
  const app = use(this, () =>
    startApp({
      env: {
        SVC_CLIENT_PREFIX: PREFIX,
        SVC_PROVIDERS_DIR: modes.path,
        SVC_SHARED_APPS_FILE: `${apps.path}/apps.json`,
      },
    }),
  );
  let client: ExistingClient;
  let connected: Connected;

  before(async () => {
    client = new ExistingClient({ host: `${app.url}/`, apiKey: app.apiKey, prefix: PREFIX });
    connected = await connect(app, provider);
  });

  describe('finds providers', () => {
    it('as a list', async () => {
      const { data } = await client.listProviders();
      expect(data.map(({ name }: { name: string }) => name)).to.include.members(['mode-oauth2', 'mode-basic']);
      for (const one of data) expect(one).to.include.all.keys('name', 'display_name', 'auth_mode', 'logo_url', 'docs');
    });

    it('by a part of the name', async () => {
      const { data } = await client.listProviders({ search: 'mode-oauth1' });
      expect(data.map(({ name }: { name: string }) => name)).to.deep.equal(['mode-oauth1']);
    });

    it('one by one', async () => {
      const { data } = await client.getProvider({ provider: 'mode-basic' });
      expect(data).to.include({ name: 'mode-basic', auth_mode: 'BASIC' });
    });
  });

  describe('with integrations', () => {
    it('creates one, reads what it asks for, and finds it in the list', async () => {
      const credentials = {
        type: 'OAUTH2',
        client_id: 'an-app',
        client_secret: canary('own app’s secret'),
        scopes: 'read,write',
      };
      const { data } = await client.createIntegration({ provider: 'mode-oauth2', unique_key: KEY, credentials });
      expect(data).to.include({ unique_key: KEY, provider: 'mode-oauth2', forward_webhooks: true });
      expect(data).to.include.all.keys('display_name', 'logo', 'created_at', 'updated_at');

      expect((await client.getIntegration({ uniqueKey: KEY })).data).to.deep.equal(data);
      const both = (await client.getIntegration({ uniqueKey: KEY }, ['webhook', 'credentials'])).data;
      expect(both.credentials).to.include(credentials);
      const { webhook_url: url } = (await client.getIntegration({ uniqueKey: KEY }, ['webhook'])).data;
      expect(url).to.match(/^http:.*\/webhook\/[0-9a-f-]{36}\//);
      const more = await app.api.get(`/integrations/${encodeURIComponent(KEY)}?include=webhook&include=credentials`);
      const callback_url = `${app.url}/oauth/callback`;
      expect(more.body.data).to.deep.equal({ ...both, webhook_url: url, callback_url });
      const { configs } = await client.listIntegrations();
      expect(configs).to.deep.include(data);
    });

    it('changes one by its key without escapes', async () => {
      const key = `${KEY} changed`;
      await client.createIntegration({ provider: 'mode-basic', unique_key: key });
      const { data } = await client.updateIntegration({ uniqueKey: key }, { display_name: 'Ours', forward_webhooks: false });
      expect(data).to.include({ unique_key: key, display_name: 'Ours', forward_webhooks: false });
    });

    it('deletes one by its key without escapes', async () => {
      const key = `${KEY} deleted`;
      await client.createIntegration({ provider: 'mode-basic', unique_key: key });
      expect(await client.deleteIntegration(key)).to.deep.include({ status: 200, data: { success: true } });
      const { status, data } = await refusal(client.getIntegration({ uniqueKey: key }));
      expect([status, data.error.code]).to.deep.equal([404, 'unknown_provider_config']);
    });

    it('creates one with a shared app', async () => {
      const { data } = await client.createQuickstartIntegration({ provider: 'mode-oauth2', unique_key: 'quick' });
      expect(data).to.include({ unique_key: 'quick', provider: 'mode-oauth2' });
    });
  });

  describe('lists connections', () => {
    const NAMES = ['Jane', 'John', 'Jill'];

    before(async () => {
      for (const key of ['list-a', 'list-b']) await storeIntegration(app.api, key);
      for (const [at, name] of NAMES.entries()) {
        const lower = name.toLowerCase();
        const tags = {
          end_user_id: `user ${at}`,
          end_user_email: `${lower}+x@example.com`,
          end_user_display_name: `${name} D`,
          team: 'a,b',
        };
        await storeConnection(app, { key: at === 2 ? 'list-b' : 'list-a', connectionId: `list ${lower}+1`, tags });
      }
    });

    const FOUND: Readonly<Record<string, readonly [() => Promise<{ connections: { connection_id: string }[] }>, string[]]>> = {
      'by the ID': [() => client.listConnections({ connectionId: 'list jane+1' }), ['list jane+1']],
      'by the user': [() => client.listConnections({ userId: 'user 1' }), ['list john+1']],
      'by an integration': [() => client.listConnections({ integrationId: 'list-b' }), ['list jill+1']],
      'by several integrations': [
        () => client.listConnections({ integrationId: ['list-a', 'list-b'] }),
        ['list jill+1', 'list john+1', 'list jane+1'],
      ],
      'by its own names of tags': [
        () => client.listConnections({ tags: { displayName: 'John D', email: 'john+x@example.com' } }),
        ['list john+1'],
      ],
      'by tags, page by page': [() => client.listConnections({ tags: { Team: 'a,b' }, limit: 1, page: 1 }), ['list john+1']],
      'by the ID, in the older form': [() => client.listConnectionsOf('list jane+1'), ['list jane+1']],
      'by words, in the older form': [() => client.listConnectionsOf(undefined, 'john d'), ['list john+1']],
      'by the user, in the older form': [
        () => client.listConnectionsOf(undefined, undefined, { endUserId: 'user 0', limit: 10, page: 0 }),
        ['list jane+1'],
      ],
      'by an organization, in the older form': [
        () => client.listConnectionsOf(undefined, undefined, { endUserOrganizationId: 'nobody' }),
        [],
      ],
    };
    for (const [how, [ask, ids]] of Object.entries(FOUND)) {
      it(how, async () => {
        const { connections } = await ask();
        expect(connections.map((one) => one.connection_id)).to.deep.equal(ids);
      });
    }

    it('all of them, with what it reads of each', async () => {
      const { connections } = await client.listConnections();
      expect(connections).to.have.length.above(NAMES.length);
      const members = [
        'id',
        'connection_id',
        'provider_config_key',
        'provider',
        'created',
        'errors',
        'end_user',
        'tags',
        'metadata',
      ];
      for (const one of connections) expect(one).to.include.all.keys(...members);
      expect((await client.listConnectionsOf()).connections).to.deep.equal(connections);
    });
  });

  describe('with a connection', () => {
    it('reads the record, with refreshed credentials when it asks for them', async () => {
      const record = await client.getConnection(connected.key, connected.connectionId);
      expect(record).to.include({ connection_id: connected.connectionId, provider_config_key: connected.key });
      expect(record.credentials).to.not.have.property('refresh_token');
      const all = { forceRefresh: true, refreshToken: true, refreshGithubAppJwtToken: true };
      const { credentials } = await client.getConnection(connected.key, connected.connectionId, all);
      expect(rememberSecret('refresh token', credentials.refresh_token)).to.be.a('string');
      expect(credentials.access_token).to.be.a('string').and.not.to.equal(record.credentials.access_token);
      expect(await client.getToken(connected.key, connected.connectionId)).to.equal(credentials.access_token);
      const raw = await client.getRawTokenResponse(connected.key, connected.connectionId);
      expect(raw).to.include({ access_token: credentials.access_token }).and.not.to.have.property('refresh_token');
    });

    for (const mode of IMPORTED_MODES.filter((one) => one !== 'APP')) {
      it(`reads the token of ${mode}`, async () => {
        const input = importableOf(mode);
        const key = await integrate(app, providerOfMode(mode));
        await app.api.post('/connections', { provider_config_key: key, connection_id: 'imported', credentials: input });
        const token = await client.getToken(key, 'imported');
        if (mode === 'OAUTH2') expect(token).to.equal(input['access_token']);
        else if (mode === 'OAUTH1')
          expect(token).to.deep.equal({ oAuthToken: input['oauth_token'], oAuthTokenSecret: input['oauth_token_secret'] });
        else if (mode === 'NONE') expect(token).to.deep.equal({});
        else expect(token).to.deep.include(input);
      });
    }

    it('sets metadata, of one and of many, and adds to it', async () => {
      const key = await storeIntegration(app.api, 'meta');
      for (const connectionId of ['m-1', 'm-2']) await storeConnection(app, { key, connectionId });
      expect((await client.setMetadata(key, 'm-1', { plan: 'a', seats: 1 })).data).to.deep.equal({
        connection_id: 'm-1',
        provider_config_key: key,
        metadata: { plan: 'a', seats: 1 },
      });
      await client.updateMetadata(key, ['m-1', 'm-2'], { plan: 'b' });
      expect(await client.getMetadata(key, 'm-1')).to.deep.equal({ plan: 'b', seats: 1 });
      await client.setMetadata(key, ['m-1', 'm-2'], {});
      expect(await client.getMetadata(key, 'm-2')).to.deep.equal({});
    });

    it('changes its tags and deletes it', async () => {
      const { key, connectionId } = await storeConnection(app, { key: await storeIntegration(app.api, 'patched') });
      const address = { connectionId, provider_config_key: key };
      expect(await client.patchConnection(address, { tags: { Team: 'b' } })).to.deep.equal({ success: true });
      const { tags } = await client.getConnection(key, connectionId);
      expect(tags).to.deep.equal({ team: 'b' });
      expect(await client.deleteConnection(key, connectionId)).to.deep.include({ status: 200, data: { success: true } });
      const { status, data } = await refusal(client.deleteConnection(key, connectionId));
      expect([status, data.error.code]).to.deep.equal([404, 'unknown_connection']);
    });
  });

  it('waits for the connection of a user whom only tags name', async () => {
    const key = await createIntegration(app, provider, { key: 'awaited' });
    const { data } = await client.createConnectSession({ tags: { end_user_id: 'user 77' }, allowed_integrations: [key] });
    expect(data).to.have.all.keys('token', 'connect_link', 'expires_at');
    expect(Date.parse(data.expires_at)).to.be.above(Date.now());
    const token = rememberSecret('connect session token', data.token);
    let pauses = 0;
    const found = await client.waitForConnection(key, 'user 77', async () => {
      pauses += 1;
      expect((await authorize(app, { key, token })).status).to.equal(200);
    });
    expect(pauses).to.equal(1);
    expect(found).to.deep.include({ provider_config_key: key, tags: { end_user_id: 'user 77' } });

    const again = await client.createReconnectSession({ connection_id: found.connection_id, integration_id: key });
    expect(again.data).to.have.all.keys('token', 'connect_link', 'expires_at');
    rememberSecret('connect session token', again.data.token);
  });

  it('reads the variables of the environment', async () => {
    expect(await client.getEnvironmentVariables()).to.deep.equal([]);
    await setVariable(app.services, 1, { name: 'REGION', value: 'eu' });
    expect(await client.getEnvironmentVariables()).to.deep.equal([{ name: 'REGION', value: 'eu' }]);
  });
});
