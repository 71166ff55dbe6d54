import { expect } from 'chai';
import { authorize, type Connected, connect, mustBe, readConnection, type Service, throughProxy } from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { Installation } from '../support/installation.ts';
import { storedConnection } from '../support/stored-connection.ts';

const EXPIRED_SECONDS = 3601;

describe('a connection whose authorization the provider ended', () => {
  let installation: Installation;
  let app: Service;
  let provider: FakeProvider;
  let connected: Connected;

  beforeEach(async () => {
    installation = await Installation.open();
    app = await installation.startApp();
    provider = await startFakeProvider({ rotation: 'strict' });
    connected = await connect(app, provider);
    provider.grants.revoke(0);
    await installation.advance(EXPIRED_SECONDS);
  });
  afterEach(async () => {
    await provider[Symbol.asyncDispose]();
    await installation[Symbol.asyncDispose]();
  });

  it('needs the user: 424, in the API and through the proxy, and the provider is asked once', async () => {
    for (let read = 0; read < 3; read += 1) await expectUserNeeded();
    const proxied = await throughProxy(app, connected, { path: '/me' });
    expect(proxied).to.have.property('status', 424);
    expect(proxied.headers.get('svc-error')).to.equal('invalid_credentials');
    expect(refreshes()).to.have.lengthOf(1);
    expect(provider.ledger.of('api')).to.have.lengthOf(0);
    expect(await storedConnection(installation.db, connected)).to.include({ state: 'needs_reauth', state_cause: 'refused' });
  });

  it('names a log entry that tells why', async () => {
    const { body } = await expectUserNeeded();
    const [error, ...others] = await errorsOfRecord();
    expect(others).to.deep.equal([]);
    expect(error).to.have.property('type', 'auth');
    expect(body.error.message).to.contain(error.log_id);

    const log = await app.api.get(`/logs/${error.log_id}`);
    expect(log.status).to.equal(200);
    expect(log.body.data).to.include({ type: 'refresh', status: 'failure', connection_id: connected.connectionId });
    const [answered] = log.body.data.messages.filter(({ level }: { level: string }) => level === 'error');
    expect(answered.facts).to.deep.equal({ kind: 'refused', status: 400, providerError: 'invalid_grant' });
  });

  it('stays so under force_refresh while the provider says so', async () => {
    await expectUserNeeded();
    await expectUserNeeded('&force_refresh=true');
    expect(refreshes()).to.have.lengthOf(2);
    await expectUserNeeded();
    expect(refreshes()).to.have.lengthOf(2);
  });

  it('is revived by a new authorization', async () => {
    await expectUserNeeded();
    const wanted = { connection_id: connected.connectionId, integration_id: connected.key };
    const session = await app.api.post('/connect/sessions/reconnect', wanted);
    mustBe(201, session);
    mustBe(200, await authorize(app, { key: connected.key, token: session.body.data.token }));
    await expectHealthy();
  });

  async function expectUserNeeded(query = '') {
    const answer = await readConnection(app, connected, query);
    expect(answer).to.have.property('status', 424);
    expect(answer.body.error.code).to.equal('invalid_credentials');
    return answer;
  }

  async function expectHealthy(): Promise<void> {
    const { status, body } = await readConnection(app, connected);
    expect(status).to.equal(200);
    expect(body.errors).to.deep.equal([]);
    expect(provider.grants.isLive(body.credentials.access_token)).to.equal(true);
    expect(await storedConnection(installation.db, connected)).to.include({ state: 'healthy', state_cause: null });
  }

  async function errorsOfRecord() {
    const { body } = await app.api.get('/connections');
    return body.connections[0].errors;
  }

  function refreshes() {
    return provider.ledger.of('token').filter(({ params }) => params['grant_type'] === 'refresh_token');
  }
});
