import { expect } from 'chai';
import { reconnect, throughProxy } from '../support/connect.ts';
import { ConnectedInstallation } from '../support/connected-installation.ts';
import { useEach } from '../support/use.ts';

const EXPIRED_SECONDS = 3601;

describe('a connection whose authorization the provider ended', function () {
  const setup = useEach(this, () => ConnectedInstallation.open({ rotation: 'strict' }));

  beforeEach(async () => {
    setup.provider.grants.revoke(0);
    await setup.advance(EXPIRED_SECONDS);
  });

  it('responds with 424 in the API and through the proxy, and the provider is asked once', async () => {
    for (let read = 0; read < 3; read += 1) await expectUserNeeded();
    const proxied = await throughProxy(setup.app, setup.connected, { path: '/me' });
    expect(proxied).to.have.property('status', 424);
    expect(proxied.headers.get('svc-error')).to.equal('invalid_credentials');
    expect(refreshes()).to.have.lengthOf(1);
    expect(setup.provider.ledger.of('api')).to.have.lengthOf(0);
    expect(await setup.stored()).to.include({ state: 'needs_reauth', state_cause: 'refused' });
  });

  it('names a log entry that tells why', async () => {
    const { body } = await expectUserNeeded();
    const [error, ...others] = await errorsOfRecord();
    expect(others).to.deep.equal([]);
    expect(error).to.have.property('type', 'auth');
    expect(body.error.message).to.contain(error.log_id);

    const log = await setup.app.api.get(`/logs/${error.log_id}`);
    expect(log.status).to.equal(200);
    expect(log.body.data).to.include({ type: 'refresh', status: 'failure', connection_id: setup.connected.connectionId });
    const [entry] = log.body.data.messages.filter(({ level }: { level: string }) => level === 'error');
    expect(entry.facts).to.deep.equal({ kind: 'refused', status: 400, providerError: 'invalid_grant' });
  });

  it('responds with 424 to force_refresh, too, while the provider refuses', async () => {
    await expectUserNeeded();
    await expectUserNeeded('&force_refresh=true');
    expect(refreshes()).to.have.lengthOf(2);
    await expectUserNeeded();
    expect(refreshes()).to.have.lengthOf(2);
  });

  it('is revived by a new authorization', async () => {
    await expectUserNeeded();
    await reconnect(setup.app, setup.connected);
    await expectHealthy();
  });

  async function expectUserNeeded(query = '') {
    const response = await setup.read(query);
    expect(response).to.have.property('status', 424);
    expect(response.body.error.code).to.equal('invalid_credentials');
    return response;
  }

  async function expectHealthy(): Promise<void> {
    const { status, body } = await setup.read();
    expect(status).to.equal(200);
    expect(body.errors).to.deep.equal([]);
    expect(setup.provider.grants.isLive(body.credentials.access_token)).to.equal(true);
    expect(await setup.stored()).to.include({ state: 'healthy', state_cause: null });
  }

  async function errorsOfRecord() {
    const { body } = await setup.app.api.get('/connections');
    return body.connections[0].errors;
  }

  function refreshes() {
    return setup.provider.ledger.of('token').filter(({ params }) => params['grant_type'] === 'refresh_token');
  }
});
