import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { type Connected, connectAgain, createIntegration, readConnection, reconnect } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import type { Behaviour } from '../support/scripted-server/behaviour.ts';
import { expectError } from '../support/std-error.ts';
import { clientWith, storeTenant } from '../support/stored.ts';
import { use } from '../support/use.ts';

const EXPIRED_MS = 3_601_000;
const json = { 'content-type': 'application/json' };
const REFUSED: Behaviour = { response: { status: 400, headers: json, body: '{"error":"invalid_grant"}' } };
const LIMITED: Behaviour = { response: { status: 429, headers: { ...json, 'retry-after': '120' }, body: '{}' } };
const FAILING: Behaviour = { response: { status: 503 } };

describe('the health of a connection', function () {
  const provider = use(this, () => startFakeProvider({ rotation: 'none' }));
  const app = use(this, startApp);
  let connected: Connected;

  before(() => createIntegration(app, provider));
  beforeEach(async () => {
    provider.always('token', {});
    connected = await connectAgain(app);
  });

  const ask = (api = app.api, { connectionId, key } = connected) =>
    api.get(`/connections/${connectionId}/health?provider_config_key=${key}`);

  async function health() {
    const { status, body, text } = await ask();
    expect(status, text).to.equal(200);
    return body.data;
  }

  const idsOf = async (state: string): Promise<string[]> => {
    const { body } = await app.api.get(`/connections?state=${state}`);
    return body.connections.map(({ connection_id }: { connection_id: string }) => connection_id);
  };

  async function expire(): Promise<void> {
    await app.clock.advance(EXPIRED_MS, app.database.db);
  }

  it('is good after an authorization', async () => {
    const { since, expires_at, ...rest } = await health();
    expect(rest).to.deep.equal({
      ...{ state: 'healthy', cause: null, next_try: null, is_refreshing: false, failed_tries: 0, last_refresh_at: null },
      ...{ call_status: null, provider_account: null, log_id: null },
    });
    expect(Math.abs(Date.parse(since) - Date.now())).to.be.below(60_000);
    expect(Date.parse(expires_at)).to.be.greaterThan(Date.now());
    expect(await idsOf('healthy')).to.contain(connected.connectionId);
  });

  for (const [response, behaviour, cause] of [
    ['503', FAILING, 'provider_unavailable'],
    ['429', LIMITED, 'too_many_request'],
  ] as const) {
    it(`is degraded while the provider responds with ${response}, and says when it is tried again`, async () => {
      provider.always('token', behaviour);
      await expire();
      await readConnection(app, connected);
      const { state, cause: reported, next_try, since, failed_tries, call_status, log_id } = await health();
      expect({ state, cause: reported, failed_tries, call_status }).to.deep.equal({
        ...{ state: 'degraded', cause },
        ...{ failed_tries: 1, call_status: 503 },
      });
      await app.services.activity.flush();
      const failed = (await health()).log_id;
      expect((await app.api.get(`/logs/${failed}`)).body.data).to.include({ type: 'refresh', status: 'failure' });
      expect(log_id === null || log_id === failed).to.equal(true);
      expect(Date.parse(next_try)).to.be.at.least(Date.parse(since));
      expect(await idsOf('degraded')).to.contain(connected.connectionId);
      expect(await idsOf('healthy')).not.to.contain(connected.connectionId);
    });
  }

  it('needs its user once the provider refuses, names the log entry, and is healthy again afterwards', async () => {
    provider.always('token', REFUSED);
    await expire();
    expect((await readConnection(app, connected)).status).to.equal(424);
    const { state, cause, next_try, call_status, log_id } = await health();
    expect({ state, cause, next_try, call_status }).to.deep.equal({
      ...{ state: 'needs_reauth', cause: 'refused' },
      ...{ next_try: null, call_status: 424 },
    });
    expect((await app.api.get(`/logs/${log_id}`)).body.data.connection_id).to.equal(connected.connectionId);
    expect(await idsOf('needs_reauth')).to.contain(connected.connectionId);

    provider.always('token', {});
    await reconnect(app, connected);
    expect(await health()).to.include({ state: 'healthy', cause: null, log_id: null });
    expect(await idsOf('needs_reauth')).not.to.contain(connected.connectionId);
  });

  it('can be read without the right to credentials, and calls no provider', async () => {
    await expire();
    const calls = provider.ledger.of('token').length;
    const { status } = await ask(await clientWith(app, 'environment:connections:read'));
    expect(status).to.equal(200);
    expect(provider.ledger.of('token')).to.have.length(calls);
    expectError(await ask(await clientWith(app, 'environment:connections:list')), 'forbidden');
  });

  it('is shown to nobody else', async () => {
    const { api } = await storeTenant(app, 'other');
    expectError(await ask(api), 'unknown_provider_config');
    expectError(await ask(app.api, { ...connected, connectionId: 'nobody' }), 'unknown_connection');
    expect((await api.get('/connections?state=healthy')).body.connections).to.deep.equal([]);
  });

  it('is one of four states', async () => {
    for (const state of ['', 'Healthy', 'broken', 'healthy,degraded'])
      expectError(await app.api.get(`/connections?state=${state}`), 'invalid_query_params', ['state']);
  });
});
