import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { canary } from '../support/canaries.ts';
import {
  type Connected,
  connectUrl,
  createReconnectSession,
  createSession,
  readConnection,
  throughProxy,
} from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { clientWith } from '../support/stored.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

const URL_FIELD = { type: 'string', title: 'URL', format: 'uri' };
const DEFINITION = {
  display_name: 'Keyed',
  docs: 'https://docs.example',
  auth_mode: 'OAUTH2',
  authorization_url: '${integrationConfig.authorization_url}',
  token_url: '${integrationConfig.token_url}',
  integration_config: { authorization_url: URL_FIELD, token_url: URL_FIELD, api_base_url: URL_FIELD },
  connection_config: {
    region: { type: 'string', title: 'Region' },
    tenant_key: { type: 'string', title: 'Tenant key', secret: true },
  },
  proxy: { base_url: '${integrationConfig.api_base_url}', headers: { 'X-Tenant-Key': '${connectionConfig.tenant_key}' } },
};

describe('a secret field of the connection configuration', function () {
  const first = canary('first tenant key');
  const second = canary('second tenant key');
  const folders = use(this, () => makeFolders({ 'keyed/provider.json': JSON.stringify(DEFINITION) }));
  const provider = use(this, startFakeProvider);
  // When this app is disposed of, its sweep for secrets proves that the database contains neither key in plain text.
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: folders.path } }));
  let connected: Connected;

  before(async () => {
    await app.api.post('/integrations', {
      unique_key: 'keyed',
      provider: 'keyed',
      credentials: { client_id: provider.clientId, client_secret: provider.clientSecret },
      integration_config: {
        authorization_url: provider.authorizationUrl,
        token_url: provider.tokenUrl,
        api_base_url: `${provider.url}/api`,
      },
    });
    await authorize(await createSession(app), { region: 'eu', tenant_key: first });
    const { body } = await app.api.get('/connections');
    connected = { connectionId: body.connections[0].connection_id, key: 'keyed' };
  });

  async function authorize(token: string, params: Record<string, string>): Promise<void> {
    const page = await new WebWalker().follow(connectUrl(app, { key: 'keyed', token, params }));
    if ('stoppedAt' in page || page.status !== 200) throw new Error('the authorization failed');
  }

  const sentKeys = () => provider.ledger.of('api').map(({ headers }) => headers['x-tenant-key']);

  it('is used in calls to the provider', async () => {
    expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(200);
    expect(sentKeys().at(-1)).to.equal(first);
  });

  it('is shown to keys that may read credentials', async () => {
    const { body } = await readConnection(app, connected);
    expect(body.connection_config).to.deep.equal({ region: 'eu', tenant_key: first });
  });

  it('is shown to no other key, and in no list', async () => {
    const api = await clientWith(app, 'environment:connections:read');
    const { body } = await readConnection({ ...app, api }, connected);
    expect(body.connection_config).to.deep.equal({ region: 'eu' });
    const { body: list } = await app.api.get('/connections');
    expect(list.connections[0].connection_config).to.deep.equal({ region: 'eu' });
  });

  it('survives a refresh', async () => {
    await readConnection(app, connected, '&force_refresh=true');
    expect((await readConnection(app, connected)).body.connection_config).to.have.property('tenant_key', first);
  });

  it('is kept by an authorization that does not name it, and replaced by one that does', async () => {
    for (const [params, expected] of [
      [{ region: 'us' }, { region: 'us', tenant_key: first }],
      [{ tenant_key: second }, { region: 'us', tenant_key: second }],
    ] as const) {
      await authorize(await createReconnectSession(app, connected), params);
      expect((await readConnection(app, connected)).body.connection_config).to.deep.equal(expected);
    }
    await throughProxy(app, connected, { path: '/me' });
    expect(sentKeys().at(-1)).to.equal(second);
  });

  it('that is imported while the user is at the provider is kept by the authorization that ends later', async () => {
    for (let round = 1; round <= 3; round += 1) {
      const newest = canary(`tenant key of round ${round}`);
      const barrier = provider.barrier('token');
      const authorized = authorize(await createReconnectSession(app, connected), { region: `r${round}` });
      await barrier.arrived();
      const written = await app.api.post('/connections', {
        connection_id: connected.connectionId,
        provider_config_key: 'keyed',
        credentials: { type: 'OAUTH2', access_token: canary('imported access token') },
        connection_config: { tenant_key: newest },
      });
      expect(written.status).to.equal(200);
      barrier.open();
      await authorized;
      const { body } = await readConnection(app, connected);
      expect(body.connection_config).to.deep.equal({ region: `r${round}`, tenant_key: newest });
    }
  });
});
