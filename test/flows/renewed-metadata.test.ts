import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { connectionsOf, finish, returnFromProvider } from '../support/authorization.ts';
import { type Connected, createSession, mustBe, readConnection } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { use } from '../support/use.ts';

const SHOPS = {
  display_name: 'Shops',
  docs: 'https://docs.example.com',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.server}/authorize',
  token_url: '${integrationConfig.server}/token',
  token_response_metadata: ['plan', 'cell', 'note'],
  integration_config: { server: { type: 'string', title: 'Server', format: 'uri' } },
  connection_config: {
    cell: { type: 'string', title: 'Cell', pattern: '[a-z]{2}[0-9]', automated: true },
    note: { type: 'string', title: 'Note', automated: true, secret: true },
  },
  proxy: { base_url: '${integrationConfig.server}/api' },
};

describe('the fields of a token response that are kept', function () {
  const provider = use(this, startFakeProvider);
  const folders = use(this, () => makeFolders({ 'shops/provider.json': JSON.stringify(SHOPS) }));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));

  before(async () => {
    const credentials = { type: 'OAUTH2', client_id: provider.clientId, client_secret: provider.clientSecret };
    const body = { unique_key: 'shops', provider: 'shops', credentials, integration_config: { server: provider.url } };
    mustBe(200, await app.api.post('/integrations', body));
  });

  async function connect(members: object, session: object = {}): Promise<Connected> {
    provider.next('token', { members: { ...members } });
    const token = await createSession(app, { allowed_integrations: ['shops'], ...session });
    mustBe(200, await finish(await returnFromProvider(app, { key: 'shops', token })));
    const [newest] = await connectionsOf(app);
    return { connectionId: newest?.connection_id ?? '', key: 'shops' };
  }

  /** Refreshes the connection with these additional fields in the token response. @returns the connection's configuration */
  async function renewed(connected: Connected, members: object): Promise<unknown> {
    provider.next('token', { members: { ...members } });
    const response = await readConnection(app, connected, '&force_refresh=strict');
    mustBe(200, response);
    return response.body.connection_config;
  }

  it('are updated with the token, and stay if a response lacks them', async () => {
    const connected = await connect({ plan: 'free', cell: 'eu1' });
    expect(await renewed(connected, { plan: 'paid', cell: 'us2' })).to.deep.equal({ plan: 'paid', cell: 'us2' });
    expect(await renewed(connected, {})).to.deep.equal({ plan: 'paid', cell: 'us2' });
  });

  it('are not replaced where the application set them', async () => {
    const defaults = { shops: { connection_config: { cell: 'us9' } } };
    const connected = await connect({ cell: 'eu1' }, { integrations_config_defaults: defaults });
    expect(await renewed(connected, { cell: 'eu2' })).to.deep.equal({ cell: 'us9' });
  });

  it('are left out if their field does not admit them, since they may decide a host', async () => {
    const connected = await connect({ cell: 'eu1' });
    expect(await renewed(connected, { cell: 'evil.example' })).to.deep.equal({ cell: 'eu1' });
  });

  it('are not stored in clear if their field is secret', async () => {
    const connected = await connect({ plan: 'free' });
    await renewed(connected, { note: 'for nobody' });
    const row = await app.database.db('connections').where({ connection_id: connected.connectionId }).first('connection_config');
    expect(row?.connection_config).to.deep.equal({ plan: 'free' });
  });
});
