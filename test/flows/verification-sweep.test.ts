import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { type Connected, mustBe, readConnection, throughProxy } from '../support/connect.ts';
import { refreshDue } from '../support/due-work.ts';
import { makeFolders } from '../support/folders.ts';
import { serve } from '../support/loopback-server.ts';
import { importableOf, integrate, makeModeProviders, providerOfMode } from '../support/mode-providers.ts';
import { Barrier } from '../support/scripted-server/barrier.ts';
import { storedConnection } from '../support/stored-connection.ts';
import { use } from '../support/use.ts';

const HOUR = 3_600_000;
/** Auth modes whose credentials can be verified only by a call to the provider. */
const MODES = ['BASIC', 'API_KEY', 'TBA'] as const;
/** Statuses of responses to the daily verification call that do not change the connection's state. */
const HARMLESS = [400, 404, 429, 500, 503];

/** A provider whose plugin verifies credentials, because its definition declares no verification call. */
const HOOKED = {
  'hooked/provider.json': JSON.stringify({ display_name: 'Hooked', docs: 'https://docs.example.com', auth_mode: 'API_KEY' }),
  'hooked/plugin.ts': `
import { PluginError, type ProviderPlugin } from '#contract';

export default {
  contract: 1,
  connection: {
    verify: async ({ fetch, integrationConfig: _, connection, tokens }) => {
      const response = await fetch(String(connection.connectionConfig.url), { headers: { 'x-key': tokens.accessToken } });
      if (response.status === 401) throw new PluginError('invalid_credentials', 'the key is over');
      if (response.status !== 200) throw new PluginError('provider_unavailable', 'later');
    },
  },
} satisfies ProviderPlugin;
`,
};

describe('credentials that never expire', function () {
  this.timeout(30_000);
  const asked: string[] = [];
  let status: number;
  let barrier: Barrier | undefined;
  const upstream = use(this, () =>
    serve(async (request, response) => {
      asked.push(`${request.url} ${request.headers.authorization ?? ''}`);
      await barrier?.pass();
      if (status === 0) request.socket.resetAndDestroy();
      else response.writeHead(status).end();
    }),
  );
  const providers = use(this, makeModeProviders);
  const plugins = use(this, () => makeFolders(HOOKED));
  const app = use(this, () => startApp({ env: { SVC_PROVIDERS_DIR: providers.path, SVC_PLUGINS_DIR: plugins.path } }));

  before(async () => {
    const config = { integration_config: { api_base_url: upstream.url } };
    for (const mode of MODES) await integrate(app, `${providerOfMode(mode)}-verified`, config);
    await integrate(app, 'hooked');
    await integrate(app, providerOfMode('API_KEY'));
  });
  beforeEach(async () => {
    status = 200;
    barrier = undefined;
    await app.database.db('connections').delete();
    asked.splice(0);
  });

  async function importOne(mode: (typeof MODES)[number], key = `${providerOfMode(mode)}-verified`): Promise<Connected> {
    const response = await app.api.post('/connections', {
      provider_config_key: key,
      credentials: importableOf(mode),
      connection_config: { accountId: '1', url: upstream.url },
    });
    mustBe(200, response);
    asked.splice(0);
    return { connectionId: response.body.connection_id, key };
  }

  /** Advances the test clock by this many hours and runs the sweep. @returns the number of connections that were due */
  async function sweepAfter(hours: number): Promise<number> {
    await app.clock.advance(hours * HOUR, app.database.db);
    return refreshDue(app.services);
  }

  const stateOf = async (connected: Connected) => (await storedConnection(app.database.db, connected)).state;

  for (const mode of MODES) {
    it(`are verified within each day: ${mode}`, async () => {
      const connected = await importOne(mode);
      expect(await sweepAfter(22)).to.equal(0);
      expect(await sweepAfter(1.5)).to.equal(1);
      expect(asked).to.have.length(1);
      expect(asked[0]).to.match(mode === 'TBA' ? /^\/me OAuth realm="1", / : /^\/me (Basic|Bearer) /);
      expect(await sweepAfter(1)).to.equal(0);
      expect(await sweepAfter(23)).to.equal(1);
      expect(await stateOf(connected)).to.equal('healthy');
      expect((await readConnection(app, connected)).body.errors).to.deep.equal([]);
    });

    it(`need the user once the provider refuses them: ${mode}`, async () => {
      const connected = await importOne(mode);
      status = 401;
      await sweepAfter(24);
      const read = await readConnection(app, connected);
      expect([read.status, read.body.error.code]).to.deep.equal([424, 'invalid_credentials']);
      expect((await throughProxy(app, connected, { path: '/x' })).status).to.equal(424);

      const health = await app.api.get(`/connections/${connected.connectionId}/health?provider_config_key=${connected.key}`);
      expect(health.body.data).to.include({ state: 'needs_reauth', cause: 'verification_failed' });

      const { body } = await app.api.get(`/connections?connectionId=${connected.connectionId}`);
      const [{ type, log_id: logId }] = body.connections[0].errors;
      expect(type).to.equal('auth');
      const log = await app.api.get(`/logs/${logId}`);
      expect(log.body.data).to.include({ type: 'refresh', operation: 'verification', status: 'failure' });
      expect(log.body.data).to.include({ error_code: 'invalid_credentials', http_status: 401 });
      expect(log.body.data.connection_id).to.equal(connected.connectionId);
      expect(JSON.stringify(log.body)).to.include('the user must authorize again');

      asked.splice(0);
      expect(await sweepAfter(24)).to.equal(0);
      expect(asked).to.deep.equal([]);
    });
  }

  it('are valid again when they are imported anew', async () => {
    const connected = await importOne('API_KEY');
    status = 403;
    await sweepAfter(24);
    expect(await stateOf(connected)).to.equal('needs_reauth');
    status = 200;
    const { connectionId: connection_id, key: provider_config_key } = connected;
    mustBe(200, await app.api.post('/connections', { connection_id, provider_config_key, credentials: importableOf('API_KEY') }));
    expect((await readConnection(app, connected)).body.errors).to.deep.equal([]);
  });

  for (const response of HARMLESS) {
    it(`stay as they are when the provider responds with ${response}, and are verified again soon`, () => staysAsItIs(response));
  }
  it('stay as they are when the provider does not respond', () => staysAsItIs(0));

  async function staysAsItIs(response: number): Promise<void> {
    const connected = await importOne('BASIC');
    const before = await storedConnection(app.database.db, connected);
    status = response;
    await sweepAfter(24);
    const { state, state_cause, auth_error_log_id, generation } = await storedConnection(app.database.db, connected);
    expect({ state, state_cause, auth_error_log_id, generation }).to.deep.equal({
      state: 'healthy',
      state_cause: null,
      auth_error_log_id: null,
      generation: before.generation,
    });
    expect((await readConnection(app, connected)).status).to.equal(200);
    expect(await sweepAfter(0)).to.equal(0);
    expect(await sweepAfter(1)).to.equal(1);
  }

  it('are not rejected because of a response to older ones', async () => {
    const connected = await importOne('BASIC');
    await app.clock.advance(24 * HOUR, app.database.db);
    status = 401;
    barrier = new Barrier();
    const swept = refreshDue(app.services);
    await barrier.arrived();
    await app.database.db('connections').update({ generation: app.database.db.raw('generation + 1') });
    barrier.open();
    await swept;
    expect(await stateOf(connected)).to.equal('healthy');
  });

  it('are verified by the plugin if it can', async () => {
    const connected = await importOne('API_KEY', 'hooked');
    status = 503;
    expect(await sweepAfter(24)).to.equal(1);
    expect(await stateOf(connected)).to.equal('healthy');
    status = 401;
    await sweepAfter(1);
    expect(await stateOf(connected)).to.equal('needs_reauth');
  });

  it('are left alone if the provider declares no verification', async () => {
    const connected = await importOne('API_KEY', providerOfMode('API_KEY'));
    status = 401;
    expect(await sweepAfter(100)).to.equal(0);
    expect(await stateOf(connected)).to.equal('healthy');
  });
});
