import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { type Connected, connect, readConnection, throughProxy } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { use } from '../support/use.ts';

describe('the main job', function () {
  const provider = use(this, () => startFakeProvider({ accessTokenTtlSeconds: 3600 }));
  const app = use(this, startApp);
  let connected: Connected;

  before(async () => {
    connected = await connect(app, provider);
  });

  it('reads the credentials of a connected account', async () => {
    const response = await readConnection(app, connected);
    expect(response.status).to.equal(200);
    expect(response.body.credentials.type).to.equal('OAUTH2');
    expect(response.body.credentials).not.to.have.property('refresh_token');
  });

  it('calls the API through the proxy', async () => {
    const response = await throughProxy(app, connected, { path: '/me' });
    expect(response.status).to.equal(200);
  });

  it('sees the credentials refreshed before they expire', async () => {
    const before = await readConnection(app, connected);
    await app.clock.advance(3_000_000, app.database.db);
    const after = await readConnection(app, connected);
    expect(after.body.credentials.access_token).not.to.equal(before.body.credentials.access_token);
    expect(provider.ledger.of('token')).to.have.length(2);
  });

  it('ends every use of a deleted connection', async () => {
    const { status } = await app.api.delete(`/connections/${connected.connectionId}?provider_config_key=fake`);
    expect(status).to.equal(200);
    expect((await readConnection(app, connected)).status).to.equal(404);
    expect((await throughProxy(app, connected, { path: '/me' })).status).to.equal(404);
  });
});
