import { expect } from 'chai';
import { integrationByKey } from '../../core/connections/integrations/integration-store.ts';
import { applyRetention } from '../../core/operate/retention.ts';
import { startApp } from '../support/app.ts';
import { finish, returnFromProvider } from '../support/authorization.ts';
import { canary } from '../support/canaries.ts';
import {
  type Connected,
  connectAgain,
  createIntegration,
  createSession,
  readConnection,
  reconnect,
  type Service,
} from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { makeFolders } from '../support/folders.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

const CONNECTIONS = size(10, 100);

/** Registers one more OAuth client at the provider. */
function register(provider: FakeProvider, clientId: string): { client_id: string; client_secret: string } {
  const secret = canary('provider: client secret');
  provider.clients.set(clientId, new Set([secret]));
  return { client_id: clientId, client_secret: secret };
}

async function changeClient(app: Service, key: string, credentials: Readonly<Record<string, string>>): Promise<void> {
  const response = await app.api.patch(`/integrations/${key}`, { credentials: { type: 'OAUTH2', ...credentials } });
  expect(response.status, response.text).to.equal(200);
}

async function connectMany(app: Service, key: string, count: number): Promise<Connected[]> {
  const connected: Connected[] = [];
  for (let index = 0; index < count; index += 1) connected.push(await connectAgain(app, key));
  return connected;
}

/** Refreshes each connection. @returns the failed requests, and the IDs of connections that now need reauthorization */
async function renewAll(app: Service, connected: readonly Connected[]): Promise<string[]> {
  const renewed = await Promise.all(connected.map((one) => readConnection(app, one, '&force_refresh=strict')));
  const failed = renewed.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`);
  const { body } = await app.api.get('/connections?state=needs_reauth');
  return [...failed, ...body.connections.map(({ connection_id }: { connection_id: string }) => connection_id)];
}

/** Returns the ID of the client that sent the latest token request to the provider. */
const lastClient = (provider: FakeProvider) => provider.ledger.of('token').at(-1)?.params['client_id'];

describe('connections of two clients', function () {
  const provider = use(this, () => startFakeProvider({ rotation: 'strict' }));
  const files = use(this, () => {
    const shared = { client_id: provider.clientId, client_secret: provider.clientSecret, scopes: ['read'] };
    return makeFolders({ 'apps.json': JSON.stringify({ 'generic-oauth': shared }) });
  });
  const app = use(this, () => startApp({ env: { SVC_SHARED_APPS_FILE: `${files.path}/apps.json` } }));
  let [own, shared]: [Connected[], Connected[]] = [[], []];
  const ofSecondClient: Connected[] = [];

  before(async () => {
    const client = register(provider, 'own-1');
    const address = { url: provider.url, authorizationUrl: provider.authorizationUrl, tokenUrl: provider.tokenUrl };
    await createIntegration(app, { ...address, clientId: client.client_id, clientSecret: client.client_secret }, { key: 'own' });
    const { authorizationUrl: authorization_url, tokenUrl: token_url, url } = provider;
    const created = await app.api.post('/integrations', {
      unique_key: 'shared',
      provider: 'generic-oauth',
      integration_config: { authorization_url, token_url, api_base_url: `${url}/api` },
    });
    expect(created.status, created.text).to.equal(200);
    own = await connectMany(app, 'own', CONNECTIONS);
    shared = await connectMany(app, 'shared', CONNECTIONS);
  });

  it('are refreshed while the provider does not know a new secret yet', async () => {
    await changeClient(app, 'own', { client_secret: canary('client secret: not at the provider yet') });
    expect(await renewAll(app, own)).to.deep.equal([]);
  });

  it('are refreshed with the new secret once the provider accepts no other', async () => {
    const { client_secret } = register(provider, 'own-1');
    await changeClient(app, 'own', { client_secret });
    expect(await renewAll(app, own)).to.deep.equal([]);
  });

  it('are refreshed by the client that authorized them after the integration has got another client', async () => {
    await changeClient(app, 'own', register(provider, 'own-2'));
    expect(await renewAll(app, own)).to.deep.equal([]);
    expect(lastClient(provider)).to.equal('own-1');
  });

  it('belong to the new client once it has authorized them again', async () => {
    const [first] = own;
    if (first === undefined) throw new Error('there is no connection');
    await reconnect(app, first);
    ofSecondClient.push(first);
    expect(await renewAll(app, [first])).to.deep.equal([]);
    expect(lastClient(provider)).to.equal('own-2');
  });

  it('are authorized by the client with which the flow began, even if the integration gets another meanwhile', async () => {
    const back = await returnFromProvider(app, {
      key: 'own',
      token: await createSession(app, { allowed_integrations: ['own'] }),
    });
    await changeClient(app, 'own', register(provider, 'own-3'));
    expect((await finish(back)).status).to.equal(200);
    const { body } = await app.api.get('/connections?limit=1');
    const connected = { connectionId: body.connections[0].connection_id, key: 'own' };
    ofSecondClient.push(connected);
    expect(await renewAll(app, [connected])).to.deep.equal([]);
    expect(lastClient(provider)).to.equal('own-2');
    const [secret = ''] = provider.clients.get('own-2') ?? [];
    await changeClient(app, 'own', { client_id: 'own-2', client_secret: secret });
  });

  it('stay with their client when the same tokens are imported once more', async () => {
    const [, second] = own;
    if (second === undefined) throw new Error('there is no connection');
    const { body } = await readConnection(app, second, '&refresh_token=true');
    const { access_token, refresh_token } = body.credentials;
    const credentials = { type: 'OAUTH2', access_token, refresh_token };
    const imported = { provider_config_key: 'own', connection_id: second.connectionId, credentials };
    expect((await app.api.post('/connections', imported)).status).to.equal(200);
    expect(await renewAll(app, [second])).to.deep.equal([]);
    expect(lastClient(provider)).to.equal('own-1');
  });

  it('are refreshed by the shared app after the integration has got an app of its own', async () => {
    await changeClient(app, 'shared', register(provider, 'no-longer-shared'));
    expect(await renewAll(app, shared)).to.deep.equal([]);
    expect(lastClient(provider)).to.equal(provider.clientId);
    const later = await connectAgain(app, 'shared');
    expect(await renewAll(app, [later])).to.deep.equal([]);
    expect(lastClient(provider)).to.equal('no-longer-shared');
  });

  it('are refreshed by the first client again if the integration returns to it', async () => {
    const [secret = ''] = provider.clients.get('own-1') ?? [];
    await changeClient(app, 'own', { client_id: 'own-1', client_secret: secret });
    expect(await renewAll(app, own)).to.deep.equal([]);
  });

  it('leave no former client behind once they are deleted', async () => {
    const kept = async () =>
      (await integrationByKey(app.services, 1, 'own'))?.client.formerClients?.map(({ clientId }) => clientId);
    expect(await kept()).to.include('own-2');
    await applyRetention(app.services);
    expect(await kept()).to.include('own-2');
    for (const { connectionId } of ofSecondClient) await app.api.delete(`/connections/${connectionId}?provider_config_key=own`);
    app.clock.advance(25 * 3_600_000);
    await applyRetention(app.services);
    expect(await kept()).to.equal(undefined);
  });

  it('show no former client', async () => {
    const { body } = await app.api.get('/integrations/own?include=credentials');
    expect(Object.keys(body.data.credentials)).to.have.members([
      'type',
      'client_id',
      'client_secret',
      'scopes',
      'webhook_secret',
    ]);
  });
});
